//! check calls.Counter$Step.ratio ArithmeticException
package calls;

/** An inner class, whose objects belong to others. */
public class Counter {
    private int count;
    private final int[] marks;

    public Counter(int size) {
        marks = new int[size];
    }

    public void up() {
        count++;
    }

    public class Step {
        private final int from = count;

        public int ratio() {
            return 10 / from; // mended: return from == 0 ? 0 : 10 / from;
        }
    }
}
