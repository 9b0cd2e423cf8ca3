// Checks that \old of a field of an object that a quantifier chooses is what that object held before the method.
//! check --scope 2: rename, renameAll, shift, shiftOne, swapNames, links, cut, behind, insert, prepend, kinds
public class OldOfChosen {
    private /*@ nullable @*/ Cell first;
    private int offset;
    private /*@ nullable @*/ Cell[] cells;

    static class Cell {
        /*@ nullable @*/ Cell next;
        int value;
        long wide;
        double real;
        boolean flag;
        /*@ nullable @*/ String name;
    }

    //@ requires first != null;
    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.value == \old(c.value)); // broken by rename
    public void rename() {
        first.value = first.value == 7 ? 8 : 7;
    }

    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.value == \old(c.value + offset) && c.next == \old(c.next));
    public void shift() {
        Cell cell = first;
        for (int i = 0; cell != null && i < 2; i++) {
            cell.value += offset;
            cell = cell.next == first ? null : cell.next == cell ? null : cell.next;
        }
        offset++;
    }

    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.value == \old(c.value) + \old(offset)); // broken by shiftOne
    public void shiftOne() {
        if (first != null) {
            first.value += offset;
        }
    }

    //@ requires first != null && first.next != null;
    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.name == \old(c.name) || c.name == \old(first.name) || c.name == \old(first.next.name));
    public void swapNames() {
        String name = first.name;
        first.name = first.next.name;
        first.next.name = name;
    }

    //@ requires first != null && first.next != null && first.next != first;
    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); \old(c.next == null) ==> c.value == \old(c.value)); // broken by renameAll
    public void renameAll() {
        first.value = first.value == 1 ? 2 : 1;
        first.next.value = first.next.value == 1 ? 2 : 1;
    }

    //@ requires first != null;
    //@ ensures (\forall Cell c; \old(\reach(first, Cell, next)).has(c); c.next == \old(c.next) || \old(c.next).value == \old(c.next.value) && c == first);
    public void links() {
        if (first.next != null) {
            first.next = first.next.next;
        }
    }

    //@ requires first != null;
    //@ ensures (\forall Cell c; \old(\reach(first, Cell, next)).has(c); c.next == \old(c.next)); // broken by cut
    public void cut() {
        first.next = null;
    }

    //@ requires cells != null && cells.length == 2 && cells[0] != null && cells[1] != null;
    //@ ensures (\forall int i; 0 <= i && i < 2; \old(cells[i].value) == \old(cells[i]).value); // broken by behind
    public void behind() {
        Cell[] others = { cells[1], cells[1] };
        cells = others;
        others[0].value = others[0].value == 3 ? 4 : 3;
    }

    //@ requires first != null;
    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.value == \old(c.value)); // broken by insert
    public void insert() {
        Cell made = new Cell();
        made.next = first.next;
        first.next = made;
    }

    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c) && !\fresh(c); c.value == \old(c.value));
    public void prepend() {
        Cell made = new Cell();
        made.next = first;
        first = made;
    }

    //@ requires first != null && first.next == null && first.real == first.real;
    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.wide == \old(c.wide + 1) && c.real == \old(c.real) && c.flag == \old(!c.flag));
    //@ ensures (\forall Cell c; \reach(first, Cell, next).has(c); c.wide > \old(c.wide)); // broken by kinds
    public void kinds() {
        first.wide++;
        first.flag = !first.flag;
        first.real += 0;
    }
}
