// A counter that wraps around is negative after it was largest.
//! values: 1 2 2147483647
import org.sosy_lab.sv_benchmarks.Verifier;

public class Overflow {
    public static void main(String[] args) {
        int steps = Verifier.nondetInt();
        Verifier.assume(steps > 2147483600);
        int count = steps;
        while (count > 0) {
            count++;
        }
        assert count == Integer.MIN_VALUE; // wrong: assert count == 0;
    }
}
