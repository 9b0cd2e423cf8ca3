// The state of an endless loop is which of two references are the same.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Identity {
    public static void main(String[] args) {
        Object first = new Object();
        Object second = new Object();
        Object chosen = first;
        while (true) {
            if (Verifier.nondetInt() == 1) {
                Object kept = first;
                first = second;
                second = kept;

                chosen = first; // wrong: chosen = kept;
            }
            assert chosen == first;
        }
    }
}
