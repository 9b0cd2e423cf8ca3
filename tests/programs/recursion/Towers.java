// The towers of Hanoi take two to the power of their height moves, less one.
//! values: 0 1 3 5
import org.sosy_lab.sv_benchmarks.Verifier;

public class Towers {
    static int moves;

    static void move(int height, int from, int by, int to) {
        if (height > 0) {
            move(height - 1, from, to, by);
            moves++;
            move(height - 1, by, from, to);
        }
    }

    public static void main(String[] args) {
        int height = Verifier.nondetInt();
        Verifier.assume(height >= 0 && height <= 8);
        move(height, 0, 1, 2);
        assert moves == (1 << height) - 1; // wrong: assert moves < 7;
    }
}
