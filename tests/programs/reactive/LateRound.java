// A counter makes a loop go wrong in its third round only.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class LateRound {
    public static void main(String[] args) {
        int round = 0;
        while (true) {
            int value = Verifier.nondetInt();
            round++;
            if (value == 1 || round == 3) { // wrong: if (value == 1) {
                round = 0;
            }
            assert round != 3;
        }
    }
}
