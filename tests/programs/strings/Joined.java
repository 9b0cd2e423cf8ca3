// Two texts joined are as long as both together.
//! values: "" a ab
import org.sosy_lab.sv_benchmarks.Verifier;

public class Joined {
    public static void main(String[] args) {
        String first = Verifier.nondetString(), second = Verifier.nondetString();
        String both = first + second;
        assert both.length() == first.length() + second.length(); // wrong: assert both.length() > first.length();
    }
}
