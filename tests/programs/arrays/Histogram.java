// Counts unknown numbers at unknown indices.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Histogram {
    public static void main(String[] args) {
        int[] counts = new int[8];
        for (int round = 0; round < 4; round++) {
            int number = Verifier.nondetInt();
            counts[number & 7]++; // wrong: counts[number & 6]++; if (number == 1) counts[1] += 3;
        }
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        assert sum == 4;
    }
}
