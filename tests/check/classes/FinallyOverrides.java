// Checks that a finally block runs last, whatever happens before it.
// target: FinallyOverrides.run
// scope: 1
// domain: int -1..2
public class FinallyOverrides {
    static class Cell {
        int value;
    }

    static int run(Cell cell, int divisor) {
        int result = 0;
        try {
            try {
                result = cell.value / divisor;
            } finally {
                result += 100;
            }
        } catch (ArithmeticException | NullPointerException expected) {
            result += expected instanceof ArithmeticException ? 1 : 2;
        }
        return result;
    }
}
