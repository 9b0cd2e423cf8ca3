// A first loop counts up and a second one down.
//! values: 0 1 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class TwoPhases {
    public static void main(String[] args) {
        int bound = Verifier.nondetInt();
        Verifier.assume(bound >= 0);
        int count = 0;
        while (count < bound) {
            count++;
        }
        while (count > 0) {
            count--; // wrong: count -= 2;
        }
        assert count == 0;
    }
}
