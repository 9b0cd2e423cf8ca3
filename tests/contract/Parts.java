/** A part has an invariant of its own, for which that of the whole does not ask. */
public class Parts {
    static class Inner {
        int value;

        boolean repOK() {
            return value > 0;
        }
    }

    Inner inner;
    int size;

    boolean repOK() {
        return inner != null && size >= 0;
    }

    public void reads() {
        assert inner.value > 0;
    }

    public void counts() {
        assert size + inner.value - inner.value >= 0;
    }
}
