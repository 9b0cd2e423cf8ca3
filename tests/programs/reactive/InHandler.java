// The state of an endless loop is in a variable that only the handler of an exception reads.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class InHandler {
    public static void main(String[] args) {
        int last = 0;
        int[] none = new int[1];
        while (true) {
            int value = Verifier.nondetInt();
            try {
                if (value == 1) {
                    last = 1 - last;
                }
                none[Verifier.nondetInt() == 1 ? 1 : 0] = value;
                last = 0; // wrong: none[0] = 0;
            } catch (ArrayIndexOutOfBoundsException outside) {
                assert last == (value == 1 ? 1 : 0);
                last = 0;
            }
        }
    }
}
