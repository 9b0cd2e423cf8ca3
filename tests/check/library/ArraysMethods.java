// Checks Arrays.fill, copyOfRange, equals, hashCode, and clone.
// target: ArraysMethods.run
// scope: 2
// k: 2
// domain: int -1..3; a[] 0 1; b[] 0 1
public class ArraysMethods {
    static int run(int[] a, int[] b, int from, int to) {
        int[] c = a.clone();
        if (java.util.Arrays.equals(c, b)) {
            return java.util.Arrays.hashCode(b);
        }
        int[] d = java.util.Arrays.copyOfRange(a, from, to);
        java.util.Arrays.fill(a, 7);
        return d.length + (b == a ? 100 : 0);
    }
}
