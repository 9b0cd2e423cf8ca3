// Checks that this is refused: a clause that is no condition.
public class NotBoolean {
    int value;
    int[] items;
    NotBoolean next;

    //@ ensures x + 1;
    public int target(int x, NotBoolean other) {
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
