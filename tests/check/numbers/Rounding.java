// Checks the functions that round: to integral numbers in each direction, to the nearest long, and the square root.
// target: Rounding.compute
// domain: double NaN -0.0 0.0 0.5 -0.5 1.5 2.5 -2.5 0.49999999999999994 4503599627370497.5 9007199254740993.0 Infinity -Infinity MAX 2.25 2.0
public class Rounding {
    static int compute(double x) {
        if (Math.floor(x) == Math.ceil(x)) {
            return Math.rint(x) == x ? 1 : 2;
        }
        if (Math.round(x) > x) {
            return Math.rint(x) > x ? 3 : 4;
        }
        double root = Math.sqrt(x);
        if (root * root == x) {
            return 5;
        }
        return root != root ? 6 : 7;
    }
}
