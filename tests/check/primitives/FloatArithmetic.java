// Checks arithmetic that rounds, overflows to infinity, and divides by zero without an exception.
// target: FloatArithmetic.compute
// domain: float NaN -0.0 0.0 -0.1 0.1 0.2 0.4 Infinity MAX
public class FloatArithmetic {
    static int compute(float a, float b) {
        if (a + b == 0.1f + 0.2f && a < b) {
            return 1;
        }
        if (a * 2 == a && a != 0) {
            return 2;
        }
        return 1 / b < 0 ? 3 : 4;
    }
}
