// Checks System.arraycopy within one array or between two that may be one, at unknown positions.
// target: ArrayCopyOverlap.shift
// scope: 2
// k: 2
// domain: int -1..3; a[] 0; b[] 2
public class ArrayCopyOverlap {
    static int shift(int[] a, int[] b, int from, int to, int count) {
        if (a == null || b == null) {
            return -1;
        }
        System.arraycopy(a, from, b, to, count);
        return count > 0 ? b[to] : 0;
    }
}
