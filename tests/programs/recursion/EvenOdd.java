// Two functions that call each other.
//! values: 0 1 6 7
import org.sosy_lab.sv_benchmarks.Verifier;

public class EvenOdd {
    static boolean isEven(int value) {
        return value == 0 || isOdd(value - 1);
    }

    static boolean isOdd(int value) {
        return value != 0 && isEven(value - 1);
    }

    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        Verifier.assume(value >= 0 && value < 40);
        assert isEven(value) == (value % 2 == 0); // wrong: assert isEven(value) || value < 7;
    }
}
