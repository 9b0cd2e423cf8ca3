// Checks a loop whose bound is the length of the input, and an exception for the empty array.
// target: ArrayMaximum.maximum
// scope: 3
// domain: int 0..2
public class ArrayMaximum {
    static int maximum(int[] array) {
        int best = array[0];
        for (int i = 1; i < array.length; i++) {
            if (array[i] > best) {
                best = array[i];
            }
        }
        return best;
    }
}
