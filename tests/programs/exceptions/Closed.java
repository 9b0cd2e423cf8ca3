// Resources are closed in the opposite order, and an exception of closing is kept with the first one.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Closed {
    static String order = "";

    static final class Door implements AutoCloseable {
        final String name;
        final boolean jams;

        Door(String name, boolean jams) {
            this.name = name;
            this.jams = jams;
        }

        @Override
        public void close() {
            order += name;
            if (jams) {
                throw new IllegalStateException(name);
            }
        }
    }

    public static void main(String[] args) {
        boolean jams = Verifier.nondetBoolean();
        try (Door outer = new Door("o", false); Door inner = new Door("i", jams)) {
            throw new UnsupportedOperationException();
        } catch (UnsupportedOperationException first) {
            assert order.equals("io");
            assert first.getSuppressed().length == (jams ? 1 : 0); // wrong: assert first.getSuppressed().length == 0;
        }
    }
}
