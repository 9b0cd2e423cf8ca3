// Checks that this is refused: a name that nobody has.
public class UnknownName {
    int value;
    int[] items;
    UnknownName next;

    //@ requires y > 0;
    public int target(int x, UnknownName other) {
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
