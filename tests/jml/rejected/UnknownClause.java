// Checks that this is refused: a clause that is none.
public class UnknownClause {
    int value;
    int[] items;
    UnknownClause next;

    //@ requieres x > 0;
    public int target(int x, UnknownClause other) {
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
