// Two rows of an array of arrays that are one array.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Shared {
    public static void main(String[] args) {
        int[][] rows = new int[3][2];
        int from = Verifier.nondetInt();
        int to = Verifier.nondetInt();
        Verifier.assume(from >= 0 && from < 3 && to >= 0 && to < 3);
        rows[to] = rows[from].clone(); // wrong: rows[to] = rows[from];
        rows[from][1] = 5;
        assert from == to || rows[to][1] == 0;
    }
}
