// The same for parts of the receiver, with an invariant that calls them.
// scope: 1
// objects: 3
// domain: int 0 1
// complete: precise precise-search eager
public class InsideHeap {
    static class Root {
        int get() {
            return 1;
        }
    }

    static abstract class Middle extends Root {
        int item;

        @Override
        int get() {
            return item;
        }
    }

    static class One extends Middle { }

    static class Two extends Middle {
        int extra;

        @Override
        int get() {
            return item + extra;
        }
    }

    Root part;

    boolean repOK() {
        return part != null && part.get() == 1;
    }

    public void set() {
        if (part instanceof Middle middle) {
            middle.item = 0;
        }
    }

    public void setTwo() {
        if (part instanceof Two two && two.item == 0) {
            two.item = 1;
            two.extra = 0;
        }
    }

    public void isRoot() {
        assert part.getClass() == Root.class;
    }

    public void get() {
        assert part.get() == 1;
    }
}
