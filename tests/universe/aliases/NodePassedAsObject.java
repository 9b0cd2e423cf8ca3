// An argument of type Object, of an interface or of a superclass may be a part of the receiver, or the receiver.
// scope: 1
// objects: 3
// domain: int 0 3
// wide: String int[]
public class NodePassedAsObject {
    interface Named { }

    static class Top { int n; }

    static class Part extends Top implements Named { }

    Part part;
    int own;

    boolean repOK() {
        return part != null && part.n == 0 && own == 0;
    }

    public void byObject(Object given) {
        if (given instanceof Part known) {
            known.n = 3;
        }
    }

    public void byInterface(Named given) {
        if (given instanceof Part known) {
            known.n = 3;
        }
    }

    public void bySuperclass(Top given) {
        if (given != null) {
            given.n = 3;
        }
    }

    public void itself(Object given) {
        if (given == this) {
            own = 3;
        }
    }

    public void itselfAsObject(Object given) {
        if (given instanceof NodePassedAsObject other) {
            other.own = 3;
        }
    }

    public void neither(Object given) {
        if (given instanceof Top known && known != part) {
            known.n = 3;
        }
    }
}
