// Checks that \fresh tells what the method made from what was there.
//! check --scope 2: make, keep, sometimes, array
public class Fresh {
    private /*@ nullable @*/ Fresh next;

    //@ ensures \fresh(\result) && \result != this && \result.next == this;
    public Fresh make() {
        Fresh made = new Fresh();
        made.next = this;
        return made;
    }

    //@ ensures !\fresh(\result) && !\fresh(this);
    public Fresh keep() {
        return next == null ? this : next;
    }

    //@ ensures \fresh(\result); // broken by sometimes
    public Fresh sometimes() {
        return next == null ? new Fresh() : next;
    }

    //@ requires n >= 0;
    //@ ensures \fresh(\result) && \result.length == n;
    public static int[] array(int n) {
        return new int[n];
    }
}
