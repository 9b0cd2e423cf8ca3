// Checks that this is refused: a clause without its end.
public class MissingSemicolon {
    int value;
    int[] items;
    MissingSemicolon next;

    //@ ensures x > 0
    public int target(int x, MissingSemicolon other) {
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
