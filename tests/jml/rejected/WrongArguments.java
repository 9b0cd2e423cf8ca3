// Checks that this is refused: a method that takes something else.
public class WrongArguments {
    int value;
    int[] items;
    WrongArguments next;

    //@ ensures clean(next) > 0;
    public int target(int x, WrongArguments other) {
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
