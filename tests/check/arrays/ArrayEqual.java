// Checks a comparison of two arrays, element by element.
// target: ArrayEqual.isEqual
// scope: 2
// domain: int 0..1
public class ArrayEqual {
    static boolean isEqual(int[] left, int[] right) {
        if (left == right) {
            return true;
        }
        if (left == null || right == null || left.length != right.length) {
            return false;
        }
        for (int i = 0; i < left.length; i++) {
            if (left[i] != right[i]) {
                return false;
            }
        }
        return true;
    }
}
