// Checks that this is refused: a cast between what has nothing in common.
public class CastOfObject {
    int value;
    int[] items;
    CastOfObject next;

    //@ ensures (int) next == 0;
    public int target(int x, CastOfObject other) {
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
