// Checks that the invariant does not concern a helper.
//! check --scope 2: fix, use
public class Helper {
    private int value;

    //@ invariant value == 1;

    //@ ensures value == 1;
    public /*@ helper @*/ void fix() {
        value = 1;
    }

    //@ ensures \result == 1;
    public int use() {
        return value;
    }
}
