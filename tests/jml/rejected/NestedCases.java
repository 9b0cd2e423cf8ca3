// Checks that this is refused: nested cases.
public class NestedCases {
    int value;
    int[] items;
    NestedCases next;

    //@ requires x > 0; {| ensures \result > 0; also ensures \result > 1; |}
    public int target(int x, NestedCases other) {
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
