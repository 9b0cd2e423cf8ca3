//! check calls.Counter.Step.ratio ArithmeticException
//! check calls.Counter.new NegativeArraySizeException
package calls;

/** An inner class, whose objects belong to others, and a constructor that fails. */
public class Counter {
    private int count;
    private final int[] marks;

    public Counter(int size) {
        marks = new int[size]; // mended: marks = new int[Math.max(0, size)];
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
