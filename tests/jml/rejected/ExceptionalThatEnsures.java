// Checks that this is refused: an exceptional behavior that returns.
public class ExceptionalThatEnsures {
    int value;
    int[] items;
    ExceptionalThatEnsures next;

    //@ exceptional_behavior ensures true;
    public int target(int x, ExceptionalThatEnsures other) {
        return x;
    }

    int impure() {
        return value++;
    }

    /*@ pure @*/ int clean(int x) {
        return x;
    }

    /*@ pure @*/ int clean(long x) {
        return 1;
    }

    /*@ pure @*/ void nothing() {
    }
}
