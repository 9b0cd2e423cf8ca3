// A loop of 20,000 rounds with an unknown start.
//! values: 0 1 7
import org.sosy_lab.sv_benchmarks.Verifier;

public class Rounds {
    public static void main(String[] args) {
        int sum = Verifier.nondetInt();
        int start = sum;
        for (int round = 0; round < 20000; round++) {
            sum += round & 1; // wrong: sum += round & 3;
        }
        assert sum - start == 10000;
    }
}
