package shop;

/** Public methods make every stack, and a result may be a part of one. */
public class Stack {
    static class Cell {
        int value;
        Cell next;
    }

    Cell top;

    public void push(int value) {
        Cell cell = new Cell();
        cell.value = value;
        cell.next = top;
        top = cell;
    }

    /** The cell below the top, if it has that value. */
    Cell below(int value) {
        if (top != null && top.next != null && top.next.value == value) {
            return top.next;
        }
        return null;
    }

    Object peek() {
        return top;
    }
}
