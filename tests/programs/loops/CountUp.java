// Counts up to an unknown bound.
//! values: 0 1 5
import org.sosy_lab.sv_benchmarks.Verifier;

public class CountUp {
    public static void main(String[] args) {
        int bound = Verifier.nondetInt();
        Verifier.assume(bound >= 0);
        int count = 0;
        while (count < bound) {
            count++;
        }
        assert count == bound; // wrong: assert count != 5;
    }
}
