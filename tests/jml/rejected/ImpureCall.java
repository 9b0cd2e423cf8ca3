// Checks that this is refused: a call of a method that is not pure.
public class ImpureCall {
    int value;
    int[] items;
    ImpureCall next;

    //@ ensures impure() > 0;
    public int target(int x, ImpureCall other) {
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
