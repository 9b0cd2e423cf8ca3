// Checks that this is refused: an object where there is none.
public class ThisInStatic {
    int value;
    int[] items;
    ThisInStatic next;

    //@ static invariant value > 0;

    public int target(int x, ThisInStatic other) {
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
