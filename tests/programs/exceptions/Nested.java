// An exception of a handler.
//! values: 0 3 5
import org.sosy_lab.sv_benchmarks.Verifier;

public class Nested {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        try {
            try {
                int unused = 10 / (value - 3);
            } catch (ArithmeticException first) {
                throw new IllegalStateException(first);
            }
        } catch (IllegalStateException second) {
            assert second.getCause() instanceof ArithmeticException; // wrong: assert value == 4;
        }
    }
}
