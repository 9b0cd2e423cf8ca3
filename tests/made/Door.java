// calls: 4
// classes: Door Door$Mode
// closed: checkFlag checkNotBoth
// A state machine whose flags follow its mode.
class Door {
    private enum Mode { OPEN, SHUT, LOCKED }

    private Mode mode = Mode.SHUT;
    private boolean isBolted;

    void open() {
        if (mode == Mode.SHUT) {
            mode = Mode.OPEN;
        }
    }

    void shut() {
        if (mode == Mode.OPEN) {
            mode = Mode.SHUT;
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
            isBolted = false;
        }
    }

    int checkFlag() {
        assert isBolted == (mode == Mode.LOCKED);
        return 0;
    }

    int checkNotBoth() {
        return mode == Mode.OPEN && isBolted ? 6 / 0 : 0;
    }

    int checkLocked() {
        return 6 / (isBolted ? 0 : 1);
    }
}
