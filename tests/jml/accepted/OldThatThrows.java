// Checks that a value from before the method that cannot be computed matters only to those who ask for it.
//! check --scope 2: guarded, asked
public class OldThatThrows {
    private /*@ nullable @*/ OldThatThrows next;
    private int value;

    //@ ensures next != null ==> value == \old(next.value);
    public void guarded() {
        if (next != null) {
            value = next.value;
        }
    }

    //@ ensures value == \old(next.value); // broken by asked
    public void asked() {
        if (next != null) {
            value = next.value;
        }
    }
}
