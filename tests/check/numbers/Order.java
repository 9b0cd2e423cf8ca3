// Checks the total order of doubles, which tells zeros apart and has one place for NaN.
// target: Order.compute
// domain: double NaN -0.0 0.0 1.0 -1.0 Infinity
public class Order {
    static int compute(double a, double b) {
        int order = Double.compare(a, b);
        if (order == 0) {
            return a == b ? 1 : 2;
        }
        return a == b ? 3 : order < 0 ? 4 : 5;
    }
}
