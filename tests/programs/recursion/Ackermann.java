// Ackermann's function is larger than its arguments.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Ackermann {
    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    public static void main(String[] args) {
        int m = Verifier.nondetInt();
        int n = Verifier.nondetInt();
        Verifier.assume(m >= 0 && m <= 2 && n >= 0 && n <= 3);
        assert ackermann(m, n) > n; // wrong: assert ackermann(m, n) > n + 1 || m == 0;
        assert m < 2 || ackermann(m, n) == 2 * n + 3; // wrong: assert ackermann(m, n) != 7;
    }
}
