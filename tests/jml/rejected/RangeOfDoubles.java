// Checks that this is refused: a quantifier over something between the numbers.
public class RangeOfDoubles {
    int value;
    int[] items;
    RangeOfDoubles next;

    //@ ensures (\forall double d; 0 <= d && d < x; d != 7);
    public int target(int x, RangeOfDoubles other) {
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
