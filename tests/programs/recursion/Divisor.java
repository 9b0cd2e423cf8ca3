// Euclid's algorithm finds a divisor.
//! values: 1 4 6 9
import org.sosy_lab.sv_benchmarks.Verifier;

public class Divisor {
    static int divisor(int left, int right) {
        return right == 0 ? left : divisor(right, left % right);
    }

    public static void main(String[] args) {
        int left = Verifier.nondetInt();
        int right = Verifier.nondetInt();
        Verifier.assume(left > 0 && left <= 12 && right > 0 && right <= 12);
        int divisor = divisor(left, right);
        assert left % divisor == 0 && right % divisor == 0; // wrong: assert divisor == 1 || divisor == left || divisor == right;
    }
}
