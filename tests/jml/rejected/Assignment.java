// Checks that this is refused: an assignment.
public class Assignment {
    int value;
    int[] items;
    Assignment next;

    //@ ensures (value = 3) == 3;
    public int target(int x, Assignment other) {
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
