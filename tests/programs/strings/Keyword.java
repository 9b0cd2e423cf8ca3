// A switch over a text in small letters.
//! values: on ON off Of ""
import org.sosy_lab.sv_benchmarks.Verifier;

public class Keyword {
    public static void main(String[] args) {
        String word = Verifier.nondetString();
        int state = 0;
        switch (word.toLowerCase()) {
            case "on": state = 1; break;
            case "of": state = 2; break;
        }
        assert state != 2 || word.length() == 2;
        assert state != 1 || word.charAt(0) == 'o' || word.charAt(0) == 'O'; // wrong: assert state != 1 || word.charAt(0) == 'o';
    }
}
