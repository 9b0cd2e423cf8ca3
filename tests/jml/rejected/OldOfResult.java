// Checks that this is refused: the result of the past.
public class OldOfResult {
    int value;
    int[] items;
    OldOfResult next;

    //@ ensures \old(\result) > 0;
    public int target(int x, OldOfResult other) {
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
