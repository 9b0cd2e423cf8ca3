// The state of an endless loop is in an array.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class InArray {
    public static void main(String[] args) {
        int[] counts = new int[2];
        while (true) {
            int at = Verifier.nondetInt();
            if (at == 0 || at == 1) {
                int chosen = at == 0 ? 0 : 1;
                counts[chosen]++;
                counts[1 - chosen] = 0;
            }
            if (counts[0] == 2 || counts[1] == 2) { // wrong: if (counts[0] == 2) {
                counts[0] = 0;
                counts[1] = 0;
            }
            assert counts[0] + counts[1] < 2;
        }
    }
}
