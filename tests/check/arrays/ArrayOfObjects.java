// Checks elements that are references: null, shared, or different.
// target: ArrayOfObjects.sum
// scope: 2
// domain: int 0..2; value 1 2
public class ArrayOfObjects {
    static class Cell {
        int value;
    }

    static int sum(Cell[] cells, int index) {
        Cell first = cells[0];
        first.value++;
        return cells[index].value;
    }
}
