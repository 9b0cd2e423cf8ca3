// Checks arrays of arrays whose elements may alias the outer parameter.
// target: ArrayHoldsItself.write
// scope: 2
// k: 2
// objects: 4
// domain: int 0..1; at -1..2
public class ArrayHoldsItself {
    static int write(int[][] rows, int[] row, int at) {
        if (rows == null || row == null || at < 0 || at >= rows.length || rows[at] == null || row.length == 0) {
            return -1;
        }
        row[0] = 9;
        rows[at][0]++;
        rows[1 - at > 0 ? 1 : 0] = row;
        return rows[0] == rows[at] ? row[0] : -row[0];
    }
}
