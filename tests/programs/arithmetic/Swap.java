// Swaps two numbers without a third.
//! values: 0 1 7 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Swap {
    public static void main(String[] args) {
        int left = Verifier.nondetInt();
        int right = Verifier.nondetInt();
        int x = left;
        int y = right;
        x ^= y;
        y ^= x;
        x ^= y; // wrong: x |= y;
        assert x == right && y == left;
    }
}
