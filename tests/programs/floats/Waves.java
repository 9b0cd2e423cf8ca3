// Sine and cosine stay within one.
//! values: 0.0 1.0 2.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class Waves {
    public static void main(String[] args) {
        double angle = Verifier.nondetDouble();
        Verifier.assume(!Double.isNaN(angle) && !Double.isInfinite(angle));
        assert Math.sin(angle) <= 1.0 && Math.cos(angle) >= -1.0; // wrong: assert Math.sin(angle) <= 0.9;
    }
}
