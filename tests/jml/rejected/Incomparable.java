// Checks that this is refused: a comparison of an object with a number.
public class Incomparable {
    int value;
    int[] items;
    Incomparable next;

    //@ ensures next == x;
    public int target(int x, Incomparable other) {
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
