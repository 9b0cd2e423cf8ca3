// An array is turned around in place.
//! values: 0 1 2
import java.util.*;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Reversed {
    public static void main(String[] args) {
        int[] numbers = {Verifier.nondetInt(), Verifier.nondetInt(), Verifier.nondetInt()};
        int[] before = Arrays.copyOf(numbers, 3);
        for (int i = 0; i < numbers.length / 2; i++) { // wrong: for (int i = 0; i < numbers.length; i++) {
            int other = numbers.length - 1 - i;
            int kept = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = kept;
        }
        assert numbers[0] == before[2] && numbers[2] == before[0];
    }
}
