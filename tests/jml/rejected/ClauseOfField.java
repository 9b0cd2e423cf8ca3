// Checks that this is refused: a clause before a field.
public class ClauseOfField {
    int value;
    int[] items;
    ClauseOfField next;

    //@ ensures x > 0;
    int other;

    public int target(int x, ClauseOfField other) {
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
