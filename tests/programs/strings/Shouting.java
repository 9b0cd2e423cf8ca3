// A text is compared in any case.
//! values: "" Yes YES no yEs
import org.sosy_lab.sv_benchmarks.Verifier;

public class Shouting {
    public static void main(String[] args) {
        String answer = Verifier.nondetString();
        boolean agrees = answer.equalsIgnoreCase("yes"); // wrong: boolean agrees = answer.equals("yes");
        assert agrees == answer.toLowerCase().equals("yes");
    }
}
