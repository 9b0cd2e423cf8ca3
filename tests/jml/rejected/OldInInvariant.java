// Checks that this is refused: a past in an invariant.
public class OldInInvariant {
    int value;
    int[] items;
    OldInInvariant next;

    //@ invariant \old(value) == value;

    public int target(int x, OldInInvariant other) {
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
