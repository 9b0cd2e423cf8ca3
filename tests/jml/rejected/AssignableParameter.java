// Checks that this is refused: a parameter that nobody else sees.
public class AssignableParameter {
    int value;
    int[] items;
    AssignableParameter next;

    //@ assignable x;
    public int target(int x, AssignableParameter other) {
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
