// Checks that this is refused: a field that is not there.
public class NoSuchField {
    int value;
    int[] items;
    NoSuchField next;

    //@ ensures next.weight > 0;
    public int target(int x, NoSuchField other) {
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
