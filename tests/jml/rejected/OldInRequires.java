// Checks that this is refused: a time before the time before the method.
public class OldInRequires {
    int value;
    int[] items;
    OldInRequires next;

    //@ requires \old(x) > 0;
    public int target(int x, OldInRequires other) {
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
