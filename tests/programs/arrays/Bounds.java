// An index that was checked.
//! values: 0 1 2 3 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Bounds {
    public static void main(String[] args) {
        int[] table = {3, 1, 2};
        int index = Verifier.nondetInt();
        if (index >= 0 && index < table.length) { // wrong: if (index >= 0 && index <= table.length) {
            assert table[index] > 0;
        }
    }
}
