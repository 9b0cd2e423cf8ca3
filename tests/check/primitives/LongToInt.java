// Checks that a long loses its upper half, and that an int keeps its sign as it grows.
// target: LongToInt.convert
// domain: long -1..1 2147483648 4294967296 4294967297 MIN MAX; int -1..1 MIN
public class LongToInt {
    static long convert(long wide, int small) {
        int cut = (int) wide;
        if (cut == wide) {
            return (long) small + cut;
        }
        return cut == small ? 5 : (small & 0xFFFFFFFFL);
    }
}
