// The state is in a variable of a caller that reads it when its callee has returned.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class InCaller {
    static int run(int depth) {
        int before = Verifier.nondetInt() == 1 ? 1 : 0; // wrong: int before = Verifier.nondetInt() == 1 ? 1 : depth;
        if (depth < 2) {
            int below = run(depth + 1);
            return before == 1 ? below : Math.max(below, 2);
        }
        return before == 1 ? 2 : 2 - before;
    }

    public static void main(String[] args) {
        assert run(0) == 2;
    }
}
