// Checks that elements are compared by identity, through two symbolic indices.
// target: ArrayIdentity.isSame
// scope: 2
// domain: int -1..2; value 0
public class ArrayIdentity {
    static class Cell {
        int value;
    }

    static int isSame(Cell[] cells, int left, int right) {
        if (left < 0 || right < 0 || left > 1 || right > 1) {
            return -1;
        }
        return cells[left] == cells[right] ? 1 : 0;
    }
}
