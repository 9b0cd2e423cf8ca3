// Checks that this is refused: two cases without a word between them.
public class MissingAlso {
    int value;
    int[] items;
    MissingAlso next;

    //@ normal_behavior requires x > 0;
    //@ normal_behavior requires x < 0;
    public int target(int x, MissingAlso other) {
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
