// The first letter of an empty text.
//! values: "" a b ba
import org.sosy_lab.sv_benchmarks.Verifier;

public class FirstLetter {
    public static void main(String[] args) {
        String word = Verifier.nondetString();
        boolean begins = !word.isEmpty() && word.charAt(0) == 'a'; // wrong: boolean begins = word.charAt(0) == 'a';
        assert !begins || word.startsWith("a");
    }
}
