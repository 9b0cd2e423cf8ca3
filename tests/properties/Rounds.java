import org.sosy_lab.sv_benchmarks.Verifier;

/** Programs whose state does not change while their events do. */
public class Rounds {
    static void step() {
    }

    static void reset() {
    }

    static class Endless {
        public static void main(String[] args) {
            while (Verifier.nondetBoolean()) {
                step();
            }
        }
    }

    static class Reset {
        public static void main(String[] args) {
            while (Verifier.nondetBoolean()) {
                step();
                if (Verifier.nondetBoolean()) {
                    step();
                }
                reset();
            }
        }
    }

    static class Spinning {
        public static void main(String[] args) {
            while (true) {
                step();
            }
        }
    }
}
