// Arrays of arrays, whose rows may be shared.
// shapes: yes
// scope: 2
// domain: int 0
public class Rows {
    int[][] rows;

    boolean repOK() {
        if (rows == null || rows.length > 2) {
            return false;
        }
        for (int[] row : rows) {
            if (row != null && row.length != 1) {
                return false;
            }
        }
        return true;
    }
}
