// Adds twos: the sum stays even.
//! values: 0 1 7
import org.sosy_lab.sv_benchmarks.Verifier;

public class EvenSum {
    public static void main(String[] args) {
        int rounds = Verifier.nondetInt();
        int sum = 0;
        for (int round = 0; round < rounds; round++) {
            sum += 2; // wrong: sum += round == 6 ? 1 : 2;
        }
        assert sum % 2 == 0;
    }
}
