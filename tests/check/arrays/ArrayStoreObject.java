// Checks references that are stored into an input array, and loaded again through another index.
// target: ArrayStoreObject.exchange
// scope: 2
// domain: int 0; at -1..2; from -1..2
public class ArrayStoreObject {
    static class Cell {
        int value;
    }

    static Cell exchange(Cell[] cells, Cell cell, int at, int from) {
        cells[at] = cell;
        Cell found = cells[from];
        if (found == cell) {
            return null;
        }
        return found == null ? cell : found;
    }
}
