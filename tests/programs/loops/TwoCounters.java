// Two counters that move together.
//! values: 0 1 5
import org.sosy_lab.sv_benchmarks.Verifier;

public class TwoCounters {
    public static void main(String[] args) {
        int bound = Verifier.nondetInt();
        int up = 0;
        int down = bound;
        Verifier.assume(bound >= 0 && bound < 1000);
        while (down > 0) {
            up++;
            down--; // wrong: down -= up % 3 == 2 ? 2 : 1;
        }
        assert up == bound;
    }
}
