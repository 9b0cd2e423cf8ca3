// Checks a store into one row of a table that may be another row too.
// target: ArrayRowAlias.store
// scope: 2
// domain: int 4; at -1..2; from -1..2
public class ArrayRowAlias {
    static int store(int[][] rows, int at, int from) {
        if (at < 0 || at > 1 || from < 0 || from > 1) {
            return -1;
        }
        rows[at][0] = 7;
        return rows[from][0];
    }
}
