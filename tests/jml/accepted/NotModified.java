// Checks \not_modified, of fields, elements and numbers that are none.
//! check --scope 2: keep, change
public class NotModified {
    private int value;
    private double number;
    private /*@ nullable @*/ NotModified next;

    //@ ensures \not_modified(value, number, next);
    public int keep() {
        return value;
    }

    //@ requires next != null;
    //@ ensures \not_modified(value);
    //@ ensures \not_modified(next.value); // broken by change
    public void change() {
        if (next != this) {
            next.value = 3;
        }
    }
}
