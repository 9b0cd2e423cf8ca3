// A list that was sorted.
//! values: 0 1 2 -1
import java.util.*;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Sorted {
    public static void main(String[] args) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            numbers.add(Verifier.nondetInt());
        }
        Collections.sort(numbers); // wrong: Collections.reverse(numbers);
        assert numbers.get(0) <= numbers.get(1) && numbers.get(1) <= numbers.get(2);
    }
}
