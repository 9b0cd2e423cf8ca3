// Checks that this is refused: a word of JML that is not supported.
public class UnsupportedWord {
    int value;
    int[] items;
    UnsupportedWord next;

    //@ ensures \lockset != null;
    public int target(int x, UnsupportedWord other) {
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
