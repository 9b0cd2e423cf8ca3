// The sum of the first numbers.
//! values: 0 1 3 4
import org.sosy_lab.sv_benchmarks.Verifier;

public class Gauss {
    public static void main(String[] args) {
        int last = Verifier.nondetInt();
        Verifier.assume(last >= 0 && last <= 60);
        int sum = 0;
        for (int at = 1; at <= last; at++) {
            sum += at; // wrong: sum += at == 4 ? 5 : at;
        }
        assert sum == last * (last + 1) / 2;
    }
}
