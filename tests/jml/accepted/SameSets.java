// Checks that two sets are the same if they have the same objects, however they were reached.
//! check --scope 2: reverse, drop, turn, keep, grow, other, unlike
public class SameSets {
    private /*@ nullable @*/ Cell first;
    private /*@ nullable @*/ Cell last;

    static class Cell {
        /*@ nullable @*/ Cell next;
        /*@ nullable @*/ Cell previous;
    }

    //@ requires first != null && first.next != null && first.next.next == null;
    //@ ensures \reach(first, Cell, next) == \old(\reach(first, Cell, next));
    public void reverse() {
        Cell second = first.next;
        second.next = first;
        first.next = null;
        first = second;
    }

    //@ requires first != null;
    //@ ensures \old(\reach(first, Cell, next)) == \reach(first, Cell, next); // broken by drop
    public void drop() {
        first = first.next;
    }

    //@ requires first != null && first.next != null && first.next != first && first.next.next == null;
    //@ requires last == first.next && last.previous == first && first.previous == null;
    //@ ensures \reach(first, Cell, next) == \reach(last, Cell, previous);
    public void turn() {
        first.next.next = null;
    }

    //@ requires first != null && last != null && first.next == null && last.next == null;
    //@ ensures \reach(first, Cell, next) == \reach(last, Cell, next); // broken by keep
    public void keep() {
    }

    //@ ensures \reach(first, Cell, next) != \old(\reach(first, Cell, next));
    public void grow() {
        Cell made = new Cell();
        made.next = first;
        first = made;
    }

    //@ ensures \reach(first, Cell, next) != \old(\reach(first, Cell, next)); // broken by other
    public void other() {
        if (first == null) {
            first = new Cell();
        }
    }

    //@ requires first != null;
    //@ ensures (\reach(first, Cell, next) == \reach(last, Cell, next)) == \result; // broken by unlike
    public boolean unlike() {
        return first == last;
    }
}
