// Checks the bits of floats: exponents, signs that are copied, numbers made of bits.
// target: Patterns.compute
// domain: float NaN -0.0 0.0 1.0 -1.0 Infinity -Infinity 1.5 MAX; int MIN MAX 0 1 2139095040 2139095041 1065353216
public class Patterns {
    static int compute(float x, int bits) {
        if (Float.intBitsToFloat(bits) != Float.intBitsToFloat(bits)) {
            return Float.floatToIntBits(x) == 0x7fc00000 ? 1 : 2;
        }
        if (Math.getExponent(x) > 0) {
            return x != x ? 3 : 4;
        }
        return Math.copySign(x, Float.intBitsToFloat(bits)) == x ? 5 : 6;
    }
}
