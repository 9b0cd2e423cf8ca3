// A product and a sum that are rounded once.
//! values: 0.0 1.0 1.5 2.0 1e9
import org.sosy_lab.sv_benchmarks.Verifier;

public class Fused {
    public static void main(String[] args) {
        double value = Verifier.nondetDouble();
        Verifier.assume(value >= 1.0 && value <= 2.0);
        assert Math.fma(value, 2.0, 1.0) >= 3.0; // wrong: assert Math.fma(value, 2.0, 1.0) > 3.0;
    }
}
