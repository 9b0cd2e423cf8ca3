// Checks that this is refused: something that a set cannot do.
public class SetWithoutMethod {
    int value;
    int[] items;
    SetWithoutMethod next;

    //@ ensures \reach(this, SetWithoutMethod, next).first() == this;
    public int target(int x, SetWithoutMethod other) {
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
