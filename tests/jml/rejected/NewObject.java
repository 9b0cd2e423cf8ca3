// Checks that this is refused: a clause that makes an object.
public class NewObject {
    int value;
    int[] items;
    NewObject next;

    //@ ensures new UnknownName() != null;
    public int target(int x, NewObject other) {
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
