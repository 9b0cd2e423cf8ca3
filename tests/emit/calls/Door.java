//! check calls.Door.name ArrayIndexOutOfBoundsException
package calls;

/** A state machine over an enumeration. */
public class Door {
    public enum State { OPEN, CLOSED, LOCKED }

    private State state = State.OPEN;

    public void close() {
        if (state != State.OPEN) {
            throw new IllegalStateException("not open");
        }
        state = State.CLOSED;
    }

    public void lock() {
        if (state != State.CLOSED) {
            throw new IllegalStateException("not closed");
        }
        state = State.LOCKED;
    }

    public String name() {
        String[] names = {"open", "closed"}; // mended: String[] names = {"open", "closed", "locked"};
        return names[state.ordinal()];
    }
}
