// Checks arrays of arrays, whose rows may be null or shared.
// target: ArrayOfArrays.get
// scope: 2
// domain: int 5; row -1..2; column -1..2
public class ArrayOfArrays {
    static int get(int[][] rows, int row, int column) {
        return rows[row][column];
    }
}
