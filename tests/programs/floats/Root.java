// A square root of a negative number is none.
//! values: 0.0 4.0 -4.0 2.25
import org.sosy_lab.sv_benchmarks.Verifier;

public class Root {
    public static void main(String[] args) {
        double value = Verifier.nondetDouble();
        Verifier.assume(value >= 0.0); // wrong: Verifier.assume(value >= -8.0);
        assert Math.sqrt(value) >= 0.0;
    }
}
