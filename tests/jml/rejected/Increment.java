// Checks that this is refused: a clause that changes something.
public class Increment {
    int value;
    int[] items;
    Increment next;

    //@ ensures ++value == 3;
    public int target(int x, Increment other) {
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
