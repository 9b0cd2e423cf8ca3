// Four unknown numbers are sorted.
//! values: 0 1 2 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class BubbleSort {
    public static void main(String[] args) {
        int[] numbers = new int[4];
        for (int at = 0; at < numbers.length; at++) {
            numbers[at] = Verifier.nondetInt();
        }
        for (int end = numbers.length - 1; end > 0; end--) { // wrong: for (int end = numbers.length - 2; end > 0; end--) {
            for (int at = 0; at < end; at++) {
                if (numbers[at] > numbers[at + 1]) {
                    int kept = numbers[at];
                    numbers[at] = numbers[at + 1];
                    numbers[at + 1] = kept;
                }
            }
        }
        for (int at = 1; at < numbers.length; at++) {
            assert numbers[at - 1] <= numbers[at];
        }
    }
}
