// Checks that a postcondition that throws is not kept, and that those behind it in the same case are not blamed for that.
//! check --scope 2: first
public class EnsuresThatThrows {
    private /*@ nullable @*/ EnsuresThatThrows next;
    private int value;

    //@ ensures next != null; // broken by first
    //@ ensures next.value == 0;
    public void first() {
        next = value == 1 ? null : new EnsuresThatThrows();
    }
}
