// Checks comparisons of floats: a NaN is not equal to itself, the two zeros are equal.
// target: FloatCompare.compare
// domain: float NaN -0.0 0.0 1.5 Infinity -Infinity MIN
public class FloatCompare {
    static int compare(float a, float b) {
        if (a != a) {
            return 1;
        }
        if (a < b) {
            return 2;
        }
        if (a > b) {
            return 3;
        }
        return a == b ? 4 : 5;
    }
}
