// Checks that this is refused: numbers that are not those of Java.
public class OtherArithmetic {
    int value;
    int[] items;
    OtherArithmetic next;

    //@ spec_bigint_math
    //@ ensures \result > 0;
    public int target(int x, OtherArithmetic other) {
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
