// Equal keys are one.
//! values: 0 1 2
import java.util.*;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Counted {
    public static void main(String[] args) {
        Map<Integer, Integer> counts = new HashMap<>();
        int first = Verifier.nondetInt(), second = Verifier.nondetInt();
        counts.merge(first, 1, Integer::sum);
        counts.merge(second, 1, Integer::sum);
        assert counts.get(first) == (first == second ? 2 : 1); // wrong: assert counts.get(first) == 1;
    }
}
