// What a pure method reads may turn out later to be what was written: by another name, or behind a field that nothing has looked at.
public class Probe {
    /** Has a number, and may lead to another one. */
    static class Cell {
        int size;
        /*@ nullable @*/ Cell inner;
    }

    /** Measures. */
    interface Meter {
        /*@ pure @*/ int of(Cell cell);
    }

    /** The same contracts in Java, for the harness that tries implementations. */
    static class Contracts {
        static final int[] DOMAIN = {0, 7};
        static final java.util.List<String> PURE = java.util.List.of("of");
        static final java.util.List<String> FREE = java.util.List.of();
    }

    private final Meter meter;

    Probe(Meter meter) {
        this.meter = meter;
    }

    public void writesAnother(Cell two, Cell one) {
        int before = meter.of(one);
        two.size++;
        if (meter.of(one) != before) {
            throw new AssertionError(); //: AssertionError
        }
    }

    public void writesInner(Cell two, Cell one) {
        if (one != two) {
            int before = meter.of(one);
            two.size++;
            if (meter.of(one) != before) {
                throw new AssertionError(); //: AssertionError
            }
        }
    }

    /** A region of its own does not help. */
    public void writesOwn(Cell two, Cell one) {
        if (one.inner != null) {
            int before = meter.of(one);
            one.inner.size++;
            if (meter.of(one) != before) {
                throw new AssertionError(); //: AssertionError
            }
        }
    }

    public void writesApart(Cell two, Cell one) {
        if (one != two && one.inner == null) {
            int before = meter.of(one);
            two.size++;
            if (meter.of(one) != before) {
                throw new AssertionError();
            }
        }
    }

    /** The first call is behind the write, too. */
    public void writesBefore(Cell two, Cell one) {
        two.size++;
        int before = meter.of(one);
        if (meter.of(one) != before) {
            throw new AssertionError();
        }
    }

    public void writesReference(Cell two, Cell one) {
        int before = meter.of(one);
        two.inner = two;
        if (one != two && one.inner == null && meter.of(one) != before) {
            throw new AssertionError();
        }
    }
}
