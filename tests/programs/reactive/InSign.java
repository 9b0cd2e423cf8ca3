// The state of an endless loop is the sign of a zero.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class InSign {
    public static void main(String[] args) {
        double zero = 0.0;
        while (true) {
            if (Verifier.nondetInt() == 1) {
                zero = zero + 0.0; // wrong: zero = -zero;
            }
            assert 1.0 / zero > 0.0;
        }
    }
}
