// Checks the comparison of two references that nobody has looked into.
// target: SameObject.compare
// scope: 3
// domain: int 0
public class SameObject {
    Cell kept;

    static class Cell {
        int value;
    }

    int compare(Cell one, Cell other) {
        if (one == other) {
            return one == null ? 0 : 1;
        }
        return kept == one ? 2 : kept == other ? 3 : 4;
    }
}
