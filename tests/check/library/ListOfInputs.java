// Checks that a collection of the library holds inputs, and finds them by identity.
// target: ListOfInputs.collect
// scope: 2
// domain: int 0
public class ListOfInputs {
    static class Cell {
        int value;
    }

    static int collect(Cell one, Cell other) {
        java.util.List<Cell> cells = new java.util.ArrayList<>();
        cells.add(one);
        if (!cells.contains(other)) {
            cells.add(other);
        }
        return cells.size();
    }
}
