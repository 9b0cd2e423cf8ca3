// Checks that this is refused: arithmetic with objects.
public class NotNumber {
    int value;
    int[] items;
    NotNumber next;

    //@ ensures x + next > 0;
    public int target(int x, NotNumber other) {
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
