// An object that a static field holds may be the receiver, or the verdict says that it is not.
// scope: 1
// domain: int 0 3
// held-receiver: isHeld changesHeld
public class HeldReceiver {
    static final HeldReceiver HELD = new HeldReceiver();

    int n;

    boolean repOK() {
        return n >= 0;
    }

    public void isHeld() {
        assert this != HELD;
    }

    public void changesHeld() {
        n = 3;
        assert HELD.n == 0;
    }

    public void isGiven(HeldReceiver given) {
        assert given != HELD;
    }

    public static void first(HeldReceiver given) {
        assert given != HELD;
    }
}
