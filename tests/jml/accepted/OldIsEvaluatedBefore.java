// Checks that an object is remembered by identity, and what it holds is read afterwards.
//! check --scope 2: keeps, changes
public class OldIsEvaluatedBefore {
    private /*@ nullable @*/ OldIsEvaluatedBefore next;
    private int value;

    //@ requires next != null && next != this;
    //@ ensures \old(next) == next && \old(next).value == 7 && \old(next.value) == value;
    public void keeps() {
        value = next.value;
        next.value = 7;
    }

    //@ requires next != null;
    //@ ensures \old(next) == next; // broken by changes
    public void changes() {
        next = next.next;
    }
}
