// A copy does not change with its original.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Copied {
    public static void main(String[] args) {
        int[] first = {Verifier.nondetInt(), 2};
        int[] second = first.clone(); // wrong: int[] second = first;
        int before = second[0];
        first[0] = before + 1;
        assert second[0] == before;
    }
}
