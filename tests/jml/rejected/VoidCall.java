// Checks that this is refused: the value of a method that has none.
public class VoidCall {
    int value;
    int[] items;
    VoidCall next;

    //@ ensures nothing() == 0;
    public int target(int x, VoidCall other) {
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
