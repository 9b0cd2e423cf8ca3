// Checks that long arithmetic wraps around.
// target: LongWrap.wraps
// domain: long -1..1 MIN MAX 4294967296
public class LongWrap {
    static long wraps(long a, long b) {
        if (a - 1 > a) {
            return 1;
        }
        if (b != 0 && b * b == 0) {
            return 2;
        }
        return a + b;
    }
}
