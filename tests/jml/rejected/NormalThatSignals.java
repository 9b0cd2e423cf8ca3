// Checks that this is refused: a normal behavior that throws.
public class NormalThatSignals {
    int value;
    int[] items;
    NormalThatSignals next;

    //@ normal_behavior signals (Exception e) true;
    public int target(int x, NormalThatSignals other) {
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
