// An exception that is wrapped twice, and found again by its cause.
//! values: -1 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Caused {
    static int inverse(int value) {
        try {
            return 10 / value;
        } catch (ArithmeticException failed) {
            throw new IllegalArgumentException("no inverse", failed);
        }
    }

    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        try {
            inverse(value);
        } catch (IllegalArgumentException failed) {
            Throwable root = new RuntimeException(failed);
            while (root.getCause() != null) {
                root = root.getCause();
            }
            assert root instanceof ArithmeticException; // wrong: assert root instanceof IllegalArgumentException;
        }
    }
}
