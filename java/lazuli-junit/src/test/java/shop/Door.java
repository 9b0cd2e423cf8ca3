package shop;

/** Without an invariant: its objects are those that calls make. */
public class Door {
    private boolean isOpen;
    private int times;

    public void open() {
        if (!isOpen) {
            isOpen = true;
            times++;
        }
    }

    public void close() {
        isOpen = false;
    }

    public boolean isOpen() {
        return isOpen;
    }

    public int times() {
        return times;
    }
}
