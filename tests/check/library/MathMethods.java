// Checks methods of java.lang.Math on whole numbers.
// target: MathMethods.compute
// domain: int -2..2 MIN -2147483647 MAX
public class MathMethods {
    static int compute(int a, int b) {
        if (Math.abs(a) < 0) {
            return -1;
        }
        if (Integer.compare(a, b) > 0) {
            return Math.max(a, b) - Math.min(a, b) < 0 ? -2 : 1;
        }
        try {
            return Math.addExact(a, b);
        } catch (ArithmeticException overflow) {
            return Integer.signum(a) + 10;
        }
    }
}
