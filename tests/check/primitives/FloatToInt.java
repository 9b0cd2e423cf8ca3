// Checks that conversions to whole numbers saturate, and that NaN becomes zero.
// target: FloatToInt.convert
// domain: float NaN -0.0 1.5 -1.5 Infinity -Infinity 3.0e9 16777217; int 0 16777217
public class FloatToInt {
    static int convert(float value, int whole) {
        int cut = (int) value;
        if (cut == Integer.MAX_VALUE) {
            return 1;
        }
        if (cut == Integer.MIN_VALUE) {
            return 2;
        }
        if (value != cut) {
            return 3;
        }
        return (int) (float) whole == whole ? 4 : 5;
    }
}
