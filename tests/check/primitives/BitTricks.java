// Checks bitwise operations.
// target: BitTricks.classify
// domain: int -2..5 MIN MAX
public class BitTricks {
    static int classify(int value) {
        if ((value & 1) == 0) {
            return (value & (value - 1)) == 0 ? 1 : 2;
        }
        return (value ^ (value >> 31)) < 0 ? 3 : ~value | 4;
    }
}
