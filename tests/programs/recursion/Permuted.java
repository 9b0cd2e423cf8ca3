// Permutations that a recursion counts with an array of what is used.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Permuted {
    static int count(boolean[] used, int left) {
        if (left == 0) {
            return 1;
        }
        int sum = 0;
        for (int at = 0; at < used.length; at++) {
            if (!used[at]) {
                used[at] = true;
                sum += count(used, left - 1);
                used[at] = false; // wrong: used[at] = at == 0;
            }
        }
        return sum;
    }

    public static void main(String[] args) {
        int size = Verifier.nondetInt();
        Verifier.assume(size >= 0 && size <= 3);
        int expected = size == 3 ? 6 : size == 2 ? 2 : 1;
        assert count(new boolean[size], size) == expected;
    }
}
