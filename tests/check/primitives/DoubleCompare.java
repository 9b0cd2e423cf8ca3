// Checks comparisons of doubles whose outcome is negated, where NaN matters.
// target: DoubleCompare.clamp
// domain: double NaN -0.0 0.0 1.5 -1.5 Infinity -Infinity MAX
public class DoubleCompare {
    static double clamp(double value, double least) {
        if (!(value >= least)) {
            return least;
        }
        if (!(value <= 1.0)) {
            return 1.0;
        }
        return value;
    }
}
