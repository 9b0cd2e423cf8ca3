// calls: 3
// Private fields that a constructor and methods keep in order.
class Gauge {
    private int level;
    private final int max;

    Gauge(int max) {
        if (max < 1 || max > 3) {
            throw new IllegalArgumentException();
        }
        this.max = max;
    }

    void up() {
        if (level < max) {
            level++;
        }
    }

    void down() {
        if (level > 0) {
            level--;
        }
    }

    // The constructor lets no zero in.
    int checkShare() {
        return 6 / max;
    }

    // Methods keep the level in its range.
    int checkRoom() {
        assert level <= max && level >= 0;
        return max - level;
    }

    // Two calls of up() lead here.
    int checkTwo() {
        return 6 / (level - 2);
    }

    // Nothing leads here.
    int checkNegative() {
        return 6 / (level + 1);
    }

    // Any gauge that is full.
    int checkFull(int by) {
        return by / (max - level);
    }
}
