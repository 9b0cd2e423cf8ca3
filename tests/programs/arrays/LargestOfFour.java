// The largest of four unknown numbers.
//! values: 0 1 2 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class LargestOfFour {
    public static void main(String[] args) {
        int[] numbers = new int[4];
        for (int at = 0; at < numbers.length; at++) {
            numbers[at] = Verifier.nondetInt();
        }
        int largest = numbers[0];
        for (int number : numbers) {
            if (number > largest) { // wrong: if (number > largest && number != 2) {
                largest = number;
            }
        }
        for (int number : numbers) {
            assert number <= largest;
        }
    }
}
