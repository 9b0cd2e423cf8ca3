// The receiver may be of a subclass of a subclass, with fields of its own, and an invariant that it refines.
// scope: 1
// domain: int 0 1
// complete: all
public class Deeper {
    int n;

    boolean repOK() {
        return n >= 0;
    }

    int next() {
        return n;
    }

    public void store() {
        n = next();
    }

    public void keep() {
        n = Math.max(n, 0);
    }

    static class Middle extends Deeper {
        int less;
    }

    static class Lower extends Middle {
        @Override
        int next() {
            return -less;
        }
    }
}
