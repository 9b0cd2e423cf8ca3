// Fibonacci numbers are not negative and grow.
//! values: 0 1 7
import org.sosy_lab.sv_benchmarks.Verifier;

public class Fibonacci {
    static int fibonacci(int at) {
        return at < 2 ? at : fibonacci(at - 1) + fibonacci(at - 2);
    }

    public static void main(String[] args) {
        int at = Verifier.nondetInt();
        Verifier.assume(at >= 0 && at <= 12);
        int number = fibonacci(at);
        assert number >= at - 1; // wrong: assert number >= at - 1 && number != 13;
    }
}
