// The largest of a list of any type.
//! values: 0 1 2
import java.util.*;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Largest {
    static <T extends Comparable<T>> T largest(List<T> all) {
        T best = all.get(0);
        for (T next : all) {
            if (next.compareTo(best) > 0) { // wrong: if (next.compareTo(best) < 0) {
                best = next;
            }
        }
        return best;
    }

    public static void main(String[] args) {
        int first = Verifier.nondetInt(), second = Verifier.nondetInt();
        int largest = largest(List.of(first, second));
        assert largest >= first && largest >= second;
    }
}
