// Checks that this is refused: a quantifier that goes down for ever.
public class UnboundedBelow {
    int value;
    int[] items;
    UnboundedBelow next;

    //@ ensures (\exists int i; i < x; i != 0);
    public int target(int x, UnboundedBelow other) {
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
