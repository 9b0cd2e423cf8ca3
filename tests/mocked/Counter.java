// A listener that gets the receiver may call it back: what a method has read before may have changed, and is valid.
public class Counter {
    interface Listener {
        void changed(Counter counter);
    }

    private int count;
    private int seen;

    public Counter() { }

    public boolean repOK() {
        return 0 <= seen && seen <= count && count < 100;
    }

    public void add() {
        if (count < 99) {
            count++;
        }
    }

    public void see() {
        seen = count;
    }

    public void told(Listener listener) {
        add();
        listener.changed(this);
        see();
    }

    public void kept(Listener listener) { //: repOK
        int before = count;
        listener.changed(this);
        count = before;
    }

    public void unchanged(Listener listener) {
        int before = count;
        listener.changed(this);
        assert count == before; //: AssertionError
    }

    public void stillValid(Listener listener) {
        listener.changed(this);
        assert seen <= count;
    }
}
