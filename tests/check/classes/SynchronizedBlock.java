// Checks that a monitor may be null, and that two may be one.
// target: SynchronizedBlock.both
// scope: 2
// domain: int 0..1
public class SynchronizedBlock {
    static class Lock {
        int held;
    }

    static int both(Lock one, Lock other) {
        synchronized (one) {
            one.held = 5;
            synchronized (other) {
                return one == other ? 1 : other.held;
            }
        }
    }
}
