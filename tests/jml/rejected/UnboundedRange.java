// Checks that this is refused: a quantifier over all numbers.
public class UnboundedRange {
    int value;
    int[] items;
    UnboundedRange next;

    //@ ensures (\forall int i; i > 0; i != x);
    public int target(int x, UnboundedRange other) {
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
