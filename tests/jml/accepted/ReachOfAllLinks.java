// Checks that \reach without fields follows all that may refer to the type, and only objects of the type.
//! check --scope 2: alone, together
public class ReachOfAllLinks {
    private /*@ nullable @*/ ReachOfAllLinks left;
    private /*@ nullable @*/ ReachOfAllLinks right;

    //@ ensures \result == (\reach(this, ReachOfAllLinks).int_size() == 1);
    public boolean alone() {
        return (left == null || left == this) && (right == null || right == this);
    }

    //@ requires left != null;
    //@ ensures \reach(this, ReachOfAllLinks).int_size() == 2; // broken by together
    public void together() {
    }
}
