// Checks shifts by unknown distances, and longs mixed with ints.
// target: ShiftDistances.run
// scope: 1
// domain: int -33 -1 0 1 31 32 63 64 MIN; long -1 1 MIN MAX
public class ShiftDistances {
    static int run(int by, long value) {
        long left = value << by;
        int small = (int) value >> by;
        long right = value >>> by;
        if (left == small) {
            return 1;
        }
        if (right < 0) {
            return 2;
        }
        return (small ^ (int) (right >> 32)) > 0 ? 3 : 4;
    }
}
