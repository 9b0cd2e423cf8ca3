// Checks that this is refused: texts that are put together.
public class StringsAdded {
    int value;
    int[] items;
    StringsAdded next;

    //@ ensures ("a" + x).length() > 0;
    public int target(int x, StringsAdded other) {
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
