// Where a letter is found, it is.
//! values: "" x ax xa
import org.sosy_lab.sv_benchmarks.Verifier;

public class Found {
    public static void main(String[] args) {
        String word = Verifier.nondetString();
        int at = word.indexOf('x');
        if (at >= 0) { // wrong: if (at >= -1) {
            assert word.charAt(at) == 'x';
        }
    }
}
