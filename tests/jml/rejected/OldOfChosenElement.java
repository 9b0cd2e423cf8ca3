// Checks that this is refused: the past of an element of an array that is chosen itself.
public class OldOfChosenElement {
    int value;
    int[] items;
    OldOfChosenElement next;

    //@ ensures (\forall OldOfChosenElement o; o != null; o.items[0] == \old(o.items[0]));
    public int target(int x, OldOfChosenElement other) {
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
