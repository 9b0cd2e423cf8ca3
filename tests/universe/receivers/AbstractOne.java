// The class of the method has no objects of its own.
// scope: 1
// domain: int 0 1
public abstract class AbstractOne {
    int size;

    abstract int limit();

    boolean repOK() {
        return size <= limit();
    }

    public void grow() {
        size = 3;
    }

    public void clear() {
        size = 0;
    }

    static class Wide extends AbstractOne {
        int limit() {
            return 5;
        }
    }

    static class Narrow extends AbstractOne {
        int limit() {
            return 2;
        }
    }
}
