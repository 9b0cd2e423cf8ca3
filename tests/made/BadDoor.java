// calls: 4
// classes: BadDoor BadDoor$Mode
// The same with one method that forgets the flag.
class BadDoor {
    private enum Mode { OPEN, SHUT, LOCKED }

    private Mode mode = Mode.SHUT;
    private boolean isBolted;

    void open() {
        if (mode == Mode.SHUT) {
            mode = Mode.OPEN;
        }
    }

    void lock() {
        if (mode == Mode.SHUT) {
            mode = Mode.LOCKED;
            isBolted = true;
        }
    }

    void force() {
        if (mode == Mode.LOCKED) {
            mode = Mode.OPEN;
        }
    }

    int checkFlag() {
        assert isBolted == (mode == Mode.LOCKED);
        return 0;
    }

    int checkNotBoth() {
        return mode == Mode.OPEN && isBolted ? 6 / 0 : 0;
    }
}
