// Copies, parts and equality of arrays with unknown lengths.
//! values: 0 1 2 3
import java.util.Arrays;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Library {
    public static void main(String[] args) {
        int length = Verifier.nondetInt();
        Verifier.assume(length >= 0 && length <= 6);
        int[] whole = new int[length];
        Arrays.fill(whole, 7);
        int[] longer = Arrays.copyOf(whole, length + 1);
        assert longer[length] == 0;
        int[] part = Arrays.copyOfRange(longer, 0, length);
        assert Arrays.equals(whole, part);
        int from = Verifier.nondetInt();
        int to = Verifier.nondetInt();
        Verifier.assume(0 <= from && from <= to && to <= length);
        Arrays.fill(part, from, to, 1);
        assert from == to || part[from] == 1; // wrong: assert part[from] == 1;
    }
}
