// Checks that this is refused: a number that Java does not have.
public class NoSuchNumber {
    int value;
    int[] items;
    NoSuchNumber next;

    //@ ensures x < 99999999999;
    public int target(int x, NoSuchNumber other) {
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
