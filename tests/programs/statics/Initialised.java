// The initialiser of the class asks for a value.
//! values: 0 1 5
import org.sosy_lab.sv_benchmarks.Verifier;

public class Initialised {
    static int start = Verifier.nondetInt();
    static int doubled = start + start; // wrong: static int doubled = start + 2;

    public static void main(String[] args) {
        assert doubled == 2 * start;
    }
}
