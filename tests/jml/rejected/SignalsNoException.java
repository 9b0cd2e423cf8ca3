// Checks that this is refused: a signals clause about something that nobody can throw.
public class SignalsNoException {
    int value;
    int[] items;
    SignalsNoException next;

    //@ signals (String s) true;
    public int target(int x, SignalsNoException other) {
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
