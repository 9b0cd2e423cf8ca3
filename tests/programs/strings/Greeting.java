// A text that is compared as a whole.
//! values: a b ab "" bob
import org.sosy_lab.sv_benchmarks.Verifier;

public class Greeting {
    public static void main(String[] args) {
        String name = Verifier.nondetString();
        String told = name.isEmpty() ? "stranger" : name; // wrong: String told = name;
        assert !told.isEmpty();
    }
}
