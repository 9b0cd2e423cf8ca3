// An invariant may ask static fields, which a method changes: the input was valid by what they held before.
// scope: 1
// domain: int 0 2 3 4; unset 0 3
public class LimitInStatic {
    static class Limit { int most = 3; }

    static int limit = 3;
    static int unset;
    static final int[] LIMITS = {3};
    static final Limit HELD = new Limit();
    static Limit given;

    int size;
    int kind;

    boolean repOK() {
        if (size < 0) {
            return false;
        }
        switch (kind) {
            case 0:
                return size <= limit;
            case 2:
                return size <= LIMITS[0];
            case 3:
                return size <= HELD.most;
            case 4:
                return given != null && size <= given.most;
            default:
                return size <= unset;
        }
    }

    public void lower() {
        limit = 2;
    }

    public void lowerElement() {
        LIMITS[0] = 2;
    }

    public void lowerField() {
        HELD.most = 2;
    }

    public void lowerUnset() {
        unset--;
    }

    public void lowerGiven() {
        if (given != null) {
            given.most--;
        }
    }

    public void drop() {
        given = null;
    }

    public void seesOldLimit() {
        int before = limit;
        limit = 2;
        if (kind == 0 && size == 3) {
            throw new AssertionError();
        }
        limit = before;
    }

    public void neverAbove() {
        limit = 5;
        if (kind == 0 && size == 4) {
            throw new AssertionError();
        }
    }

    public void elementNeverAbove() {
        LIMITS[0] = 5;
        if (kind == 2 && size == 4) {
            throw new AssertionError();
        }
    }

    public void fieldNeverAbove() {
        HELD.most = 5;
        if (kind == 3 && size == 4) {
            throw new AssertionError();
        }
    }
}
