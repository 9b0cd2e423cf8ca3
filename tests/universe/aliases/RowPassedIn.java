// An argument may be an element of an array of the receiver.
// scope: 1
// domain: int 0 5
// wide: int[] Object[] String
public class RowPassedIn {
    int[][] rows;

    boolean repOK() {
        return rows != null && rows.length == 1 && rows[0] != null && rows[0].length == 1 && rows[0][0] == 0;
    }

    public void row(int[] given) {
        if (given != null && given.length == 1) {
            given[0] = 5;
        }
    }

    public void rowAsObject(Object given) {
        if (given == rows[0]) {
            rows[0] = null;
        }
    }

    public void allRows(Object[] given) {
        if (given != null && given.length == 1) {
            given[0] = null;
        }
    }
}
