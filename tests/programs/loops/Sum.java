// The sum of the first numbers.
//! values: 0 1 2 3 4
import org.sosy_lab.sv_benchmarks.Verifier;

public class Sum {
    public static void main(String[] args) {
        int count = Verifier.nondetInt();
        Verifier.assume(0 <= count && count <= 8);
        int sum = 0;
        for (int i = 1; i <= count; i++) { // wrong: for (int i = 1; i < count; i++) {
            sum += i;
        }
        assert sum == count * (count + 1) / 2;
    }
}
