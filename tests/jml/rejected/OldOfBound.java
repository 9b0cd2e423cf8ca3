// Checks that this is refused: the past of what a quantifier chooses.
public class OldOfBound {
    int value;
    int[] items;
    OldOfBound next;

    //@ ensures (\forall int i; 0 <= i && i < x; \old(clean(i)) == 1);
    public int target(int x, OldOfBound other) {
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
