// A grid of unknown height and width.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Grid {
    public static void main(String[] args) {
        int height = Verifier.nondetInt();
        int width = Verifier.nondetInt();
        Verifier.assume(height > 0 && height <= 3 && width > 0 && width <= 3);
        int[][] grid = new int[height][width];
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < width; column++) {
                grid[row][column] = row * width + column;
            }
        }
        assert grid[height - 1][width - 1] == height * width - 1; // wrong: assert grid[height - 1][0] != 2;
    }
}
