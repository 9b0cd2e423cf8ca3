// Checks Math.round of floats, absolute values, and what a float loses that becomes an int and a double and comes back.
// target: RoundingFloat.compute
// domain: float NaN -0.0 0.0 0.5 -0.5 0.49999997 8388609.0 16777217.0 Infinity -Infinity MAX -1.5 2147483648.0
public class RoundingFloat {
    static int compute(float x) {
        int rounded = Math.round(x);
        if (Math.abs(x) < 1) {
            return rounded == 0 ? 1 : 2;
        }
        if ((float) rounded != x) {
            return x != x ? 3 : 4;
        }
        return (float) (double) x == x && (int) x == rounded ? 5 : 6;
    }
}
