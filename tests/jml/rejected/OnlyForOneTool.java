// Checks that this is refused: JML for another tool.
public class OnlyForOneTool {
    int value;
    int[] items;
    OnlyForOneTool next;

    //+ESC@ ensures \result > 0;
    public int target(int x, OnlyForOneTool other) {
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
