// Numbers up to nine come to one.
//! values: 1 3 6
import org.sosy_lab.sv_benchmarks.Verifier;

public class Collatz {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        Verifier.assume(value >= 1 && value <= 9);
        int rounds = 0;
        while (value != 1) {
            value = value % 2 == 0 ? value / 2 : 3 * value + 1;
            rounds++;
            assert rounds <= 20; // wrong: assert rounds <= 6;
        }
    }
}
