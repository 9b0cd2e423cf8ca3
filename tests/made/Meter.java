// calls: 3
// classes: Meter Meter$Wide Meter$Narrow
// ints: -1 0 2 5
// Subclasses that set the same field within bounds of their own.
abstract class Meter {
    protected int value;

    abstract int limit();

    final void raise(int by) {
        if (by > 0 && value + by <= limit()) {
            value += by;
        }
    }

    static class Wide extends Meter {
        @Override
        int limit() {
            return 5;
        }
    }

    static class Narrow extends Meter {
        private final int low;

        Narrow(int low) {
            this.low = low < 0 ? 0 : low;
        }

        @Override
        int limit() {
            return 2;
        }

        int low() {
            return low;
        }
    }

    int checkLimit() {
        return 6 / (limit() - 2);
    }

    int checkNoLimit() {
        return 6 / (limit() - 3);
    }

    static int checkLow(Narrow narrow) {
        return narrow == null ? 0 : 6 / (narrow.low() + 1);
    }

    static int checkLowIsTwo(Narrow narrow) {
        return narrow == null ? 0 : 6 / (narrow.low() - 2);
    }
}
