// Checks that this is refused: a place that is none.
public class AssignableExpression {
    int value;
    int[] items;
    AssignableExpression next;

    //@ assignable x + 1;
    public int target(int x, AssignableExpression other) {
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
