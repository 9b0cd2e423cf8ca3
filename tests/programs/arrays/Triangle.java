// Rows of different lengths: Pascal's triangle.
//! values: 0 1 2 3 4
import org.sosy_lab.sv_benchmarks.Verifier;

public class Triangle {
    public static void main(String[] args) {
        int rows = Verifier.nondetInt();
        Verifier.assume(rows > 0 && rows <= 4);
        int[][] triangle = new int[rows][];
        for (int row = 0; row < rows; row++) {
            triangle[row] = new int[row + 1];
            triangle[row][0] = 1;
            triangle[row][row] = 1;
            for (int at = 1; at < row; at++) {
                triangle[row][at] = triangle[row - 1][at - 1] + triangle[row - 1][at]; // wrong: triangle[row][at] = triangle[row - 1][at - 1] + triangle[row - 1][at + 1];
            }
        }
        int sum = 0;
        for (int value : triangle[rows - 1]) {
            sum += value;
        }
        assert sum == 1 << (rows - 1);
    }
}
