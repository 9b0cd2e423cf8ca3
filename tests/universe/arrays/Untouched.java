// An array that neither invariant nor method looks at changes nothing.
// scope: 1
// domain: int 0 1
// wide: String int[] Object[]
public class Untouched {
    int[][] grid;
    Object[] others;
    String[] names;

    boolean repOK() {
        return grid == null || grid.length == 1;
    }

    public void replace() {
        if (grid != null) {
            grid = new int[2][];
        }
    }

    public void replaceRow() {
        if (grid != null) {
            grid[0] = new int[3];
        }
    }

    public void row() {
        assert grid == null || grid[0] == null || grid[0].length == 0;
    }

    public void shared() {
        assert others == null || others != (Object) grid;
    }
}
