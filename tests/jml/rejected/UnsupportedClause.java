// Checks that this is refused: a clause that is not supported.
public class UnsupportedClause {
    int value;
    int[] items;
    UnsupportedClause next;

    //@ forall int y;
    //@ ensures \result > y;
    public int target(int x, UnsupportedClause other) {
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
