// Checks that this is refused: a clause that only people understand.
public class InformalText {
    int value;
    int[] items;
    InformalText next;

    //@ ensures (* x is nice *);
    public int target(int x, InformalText other) {
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
