// Checks that this is refused: a \\reach without a type.
public class ReachOfEverything {
    int value;
    int[] items;
    ReachOfEverything next;

    //@ ensures \reach(this).has(this);
    public int target(int x, ReachOfEverything other) {
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
