// Checks that quantifiers over a class range over what can be reached from this and the parameters.
//! check --scope 2: zero, some, count
public class ObjectsInRange {
    private /*@ nullable @*/ Cell first;

    static class Cell {
        Cell next;
        int value;
    }

    //@ requires (\forall Cell c; c.next != c);
    //@ ensures (\forall Cell c; c.value == 0);
    public void zero() {
        for (Cell cell = first; cell != null && cell.value != 0; cell = cell.next) {
            cell.value = 0;
        }
        if (first != null && first.next != null) {
            first.next.value = 0;
        }
    }

    //@ ensures (\exists Cell c; c.value == 1); // broken by some
    public void some() {
        if (first != null) {
            first.value = 1;
        }
    }

    //@ ensures \result == (\num_of Cell c; c.value > 0);
    public int count() {
        int count = 0;
        if (first != null) {
            count += first.value > 0 ? 1 : 0;
            if (first.next != null && first.next != first) {
                count += first.next.value > 0 ? 1 : 0;
            }
        }
        return count;
    }
}
