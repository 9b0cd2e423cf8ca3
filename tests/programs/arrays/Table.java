// An unknown index into a large table.
//! values: 0 1 700 1000
import org.sosy_lab.sv_benchmarks.Verifier;

public class Table {
    private static final int[] SQUARES = new int[1000];

    static {
        for (int at = 0; at < SQUARES.length; at++) {
            SQUARES[at] = at * at;
        }
    }

    public static void main(String[] args) {
        int at = Verifier.nondetInt();
        if (at >= 0 && at < SQUARES.length) {
            assert SQUARES[at] == at * at; // wrong: assert SQUARES[at] != 490000;
        }
    }
}
