// A text and its mirror image have the same letters at both ends.
//! values: "" a ab aba
import org.sosy_lab.sv_benchmarks.Verifier;

public class Mirrored {
    public static void main(String[] args) {
        String text = Verifier.nondetString();
        Verifier.assume(text.length() <= 3);
        String mirrored = new StringBuilder(text).reverse().toString();
        if (!text.isEmpty()) {
            assert text.charAt(0) == mirrored.charAt(mirrored.length() - 1); // wrong: assert text.charAt(0) == mirrored.charAt(0);
        }
    }
}
