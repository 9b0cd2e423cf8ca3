// Checks that this is refused: a method that is not there.
public class NoSuchMethod {
    int value;
    int[] items;
    NoSuchMethod next;

    //@ ensures missing(x) > 0;
    public int target(int x, NoSuchMethod other) {
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
