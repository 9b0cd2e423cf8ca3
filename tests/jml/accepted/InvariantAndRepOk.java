// Checks that repOK and an invariant of JML make valid inputs together.
//! check --scope 2: between, below
public class InvariantAndRepOk {
    private int value;

    //@ invariant value < 10;

    boolean repOK() {
        return value > 0;
    }

    //@ ensures 0 < \result && \result < 10;
    public int between() {
        return value;
    }

    //@ ensures \result < 9; // broken by below
    public int below() {
        return value;
    }
}
