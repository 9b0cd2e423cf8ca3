// A subclass may have an invariant of its own, which receivers of that class keep and must keep.
// scope: 1
// domain: int 0 1 7
public class OwnInvariant {
    int n;

    boolean repOK() {
        return n >= 0;
    }

    static class Small extends OwnInvariant {
        @Override
        boolean repOK() {
            return n == 0 || n == 1;
        }
    }

    static class Wild extends OwnInvariant {
        @Override
        boolean repOK() {
            return true;
        }
    }

    public void increase() {
        n = n < 1000 ? n + 1 : n;
    }

    public void notNegative() {
        assert n >= 0;
    }

    public void smallIsSmall() {
        if (this instanceof Small) {
            assert n < 2;
        }
    }

    public void wildIsWild() {
        if (this instanceof Wild) {
            assert n != -1;
        }
    }
}
