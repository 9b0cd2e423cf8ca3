// Checks that this is refused: a class that is not there.
public class NoSuchClass {
    int value;
    int[] items;
    NoSuchClass next;

    //@ ensures next instanceof Missing;
    public int target(int x, NoSuchClass other) {
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
