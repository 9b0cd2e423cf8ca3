// Checks that this is refused: a \\reach over a field that holds a number.
public class ReachOfNumber {
    int value;
    int[] items;
    ReachOfNumber next;

    //@ ensures \reach(this, ReachOfNumber, value).has(this);
    public int target(int x, ReachOfNumber other) {
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
