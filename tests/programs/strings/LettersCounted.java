// Counts letters of an unknown text.
//! values: "" "a" "ab"
import org.sosy_lab.sv_benchmarks.Verifier;

public class LettersCounted {
    public static void main(String[] args) {
        String text = Verifier.nondetString();
        int count = 0;
        for (int at = 0; at < text.length(); at++) {
            if (text.charAt(at) == 'a') {
                count++;
            }
        }
        assert count <= text.length(); // wrong: assert count < text.length() || count == 0;
    }
}
