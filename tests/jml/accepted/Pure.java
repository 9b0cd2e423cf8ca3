// Checks that a pure method changes nothing, and that pure methods may be called.
//! check --scope 2: get, count, twice, PureClass.triple
public class Pure {
    private int value;

    public /*@ pure @*/ int get() {
        return value;
    }

    public /*@ pure @*/ int count() { // broken by count
        return ++value;
    }

    //@ ensures \result == 2 * get() && \result == this.get() + get() && \result == half(\result) * 2;
    public int twice() {
        return 2 * value;
    }

    static /*@ pure @*/ int half(int x) {
        return x / 2;
    }
}

/*@ pure @*/ class PureClass {
    int value;

    int plain() {
        return value;
    }

    //@ ensures \result == 3 * plain();
    public int triple() {
        return 3 * value;
    }
}
