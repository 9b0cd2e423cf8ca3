// What a pure method may read: what it is handed, what such code has returned, static fields, and fields of its own that others assign.
public class Gauge {
    static int total;

    /** Has a number. */
    static class Cell {
        int size;
    }

    /** Measures. */
    interface Meter {
        /*@ pure @*/ int read();

        /*@ pure @*/ int of(Cell cell);

        //@ assignable \nothing;
        //@ ensures \result != null;
        Cell cell();

        //@ assignable this.*;
        //@ ensures read() == 7;
        void fill();
    }

    /** The same contracts in Java, for the harness that tries implementations. */
    static class Contracts {
        static final int[] DOMAIN = {0, 7};
        static final java.util.List<String> PURE = java.util.List.of("read", "of");
        static final java.util.List<String> FREE = java.util.List.of("fill");

        static boolean post_cell(Object before, Meter self, Cell result) {
            return result != null;
        }

        static boolean post_fill(Object before, Meter self) {
            return self.read() == 7;
        }
    }

    private final Meter meter;

    Gauge(Meter meter) {
        this.meter = meter;
    }

    public void readsTwice() {
        if (meter.read() != meter.read()) {
            throw new AssertionError();
        }
    }

    /** In the same context, the result is the same, without further paths. */
    public int readsOften() {
        int found = 0;
        for (int at = 0; at < 6; at++) {
            found += meter.read() == 7 ? 1 : 0;
        }
        return found;
    }

    /** A static field changes between the two. */
    public void counts() {
        int before = meter.read();
        total++;
        if (meter.read() != before) {
            throw new AssertionError(); //: AssertionError
        }
    }

    /** The meter may have kept what it returned. */
    public void growsCell() {
        Cell cell = meter.cell();
        int before = meter.read();
        cell.size++;
        if (meter.read() != before) {
            throw new AssertionError(); //: AssertionError
        }
    }

    /** Such code does not know the cell. */
    public void growsOther(Cell cell) {
        int before = meter.read();
        cell.size++;
        if (meter.read() != before) {
            throw new AssertionError();
        }
    }

    /** It knows it from an earlier call. */
    public void growsKnown(Cell cell) {
        meter.of(cell);
        int before = meter.read();
        cell.size++;
        if (meter.read() != before) {
            throw new AssertionError(); //: AssertionError
        }
    }

    public void asksOf(Cell cell) {
        int before = meter.of(cell);
        cell.size++;
        if (meter.of(cell) != before) {
            throw new AssertionError(); //: AssertionError
        }
    }

    public void asksOfTwice(Cell cell) {
        if (meter.of(cell) != meter.of(cell)) {
            throw new AssertionError();
        }
    }

    /** The fields that filling assigns are those of a class that is not there. */
    public void fills() {
        meter.fill();
        if (meter.read() != 7) {
            throw new AssertionError();
        }
    }

    public void fillsWrong() {
        int before = meter.read();
        meter.fill();
        if (meter.read() != before) {
            throw new AssertionError(); //: AssertionError
        }
    }
}
