// Checks sums of doubles that round, that overflow to infinity, and that are not numbers.
// target: DoubleArithmetic.compute
// domain: double NaN -0.0 0.0 0.1 0.2 Infinity -Infinity MAX
public class DoubleArithmetic {
    static int compute(double a, double b) {
        double sum = a + b;
        if (sum == 0.1 + 0.2) {
            return 1;
        }
        if (sum == a) {
            return b == 0 ? 2 : 3;
        }
        return sum != sum ? 4 : 5;
    }
}
