// Checks that only those fields change that are listed, of those objects that were meant before the method.
//! check --scope 2: one, more, next, moved, all, fresh
public class AssignableFields {
    private /*@ nullable @*/ AssignableFields next;
    private int value;
    private int other;

    //@ assignable value;
    public void one(int x) {
        value = x;
    }

    //@ assignable this.value; // broken by more
    public void more(int x) {
        value = x;
        other = x;
    }

    //@ requires next != null;
    //@ assignable next.value, next;
    public void next(int x) {
        next.value = x;
        next = null;
    }

    //@ requires next != null;
    //@ assignable next.value, next; // broken by moved
    public void moved(int x) {
        next = next.next;
        if (next != null) {
            next.value = x;
        }
    }

    //@ assignable this.*;
    public void all(int x) {
        value = x;
        other = x;
        next = this;
    }

    //@ assignable \nothing;
    public AssignableFields fresh(int x) {
        AssignableFields made = new AssignableFields();
        made.value = x;
        return made;
    }
}
