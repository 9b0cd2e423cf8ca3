// Checks that this is refused: a bracket that is not closed.
public class MissingBracket {
    int value;
    int[] items;
    MissingBracket next;

    //@ ensures (x > 0;
    public int target(int x, MissingBracket other) {
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
