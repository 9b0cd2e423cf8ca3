// defect neighbours, missing bounds check: Grid.neighbours throws ArrayIndexOutOfBoundsException
//     new Grid(2, 2).neighbours(0, 0);
// defect transposed, swapped arguments: Grid.transposed throws ArrayIndexOutOfBoundsException
//     new Grid(2, 3).transposed();
package ordinary.grid;

/** Cells that are alive or not. */
public final class Grid {
    private final boolean[][] cells;

    public Grid(int rows, int columns) {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(rows + " x " + columns);
        }
        cells = new boolean[rows][columns];
    }

    public int rows() {
        return cells.length;
    }

    public int columns() {
        return cells[0].length;
    }

    public boolean contains(int row, int column) {
        return row >= 0 && row < rows() && column >= 0 && column < columns();
    }

    public void set(int row, int column, boolean alive) {
        check(row, column);
        cells[row][column] = alive;
    }

    public boolean get(int row, int column) {
        check(row, column);
        return cells[row][column];
    }

    public int neighbours(int row, int column) {
        check(row, column);
        int count = 0;
        for (int r = row - 1; r <= row + 1; r++) {
            for (int c = column - 1; c <= column + 1; c++) {
                boolean isCentre = r == row && c == column;
                if (!isCentre && contains(r, c) && cells[r][c]) { // defect neighbours: if (!isCentre && cells[r][c]) {
                    count++;
                }
            }
        }
        return count;
    }

    public Grid transposed() {
        Grid result = new Grid(columns(), rows()); // defect transposed: Grid result = new Grid(rows(), columns());
        for (int row = 0; row < rows(); row++) {
            for (int column = 0; column < columns(); column++) {
                result.cells[column][row] = cells[row][column];
            }
        }
        return result;
    }

    private void check(int row, int column) {
        if (!contains(row, column)) {
            throw new IndexOutOfBoundsException("row " + row + ", column " + column);
        }
    }
}
