// Checks that this is refused: a result before the method.
public class ResultInRequires {
    int value;
    int[] items;
    ResultInRequires next;

    //@ requires \result > 0;
    public int target(int x, ResultInRequires other) {
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
