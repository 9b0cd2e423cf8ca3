// The library sorts four unknown numbers.
//! values: 0 1 2 -1
import java.util.Arrays;
import org.sosy_lab.sv_benchmarks.Verifier;

public class LibrarySort {
    public static void main(String[] args) {
        int[] numbers = new int[4];
        for (int at = 0; at < numbers.length; at++) {
            numbers[at] = Verifier.nondetInt();
        }
        Arrays.sort(numbers, 0, 4); // wrong: Arrays.sort(numbers, 0, 3);
        assert numbers[0] <= numbers[1] && numbers[1] <= numbers[2] && numbers[2] <= numbers[3];
    }
}
