// Checks remainders of doubles whose exponents are close, and of those that are not.
// target: Leftovers.compute
// domain: double NaN -0.0 0.0 1.0 -7.5 3.0 0.1 Infinity MAX
public class Leftovers {
    static int compute(double a, double b) {
        double rest = a % b;
        if (rest != rest) {
            return 1;
        }
        if (rest == 0) {
            return 1 / rest < 0 ? 2 : 3;
        }
        return rest == a ? 4 : 5;
    }
}
