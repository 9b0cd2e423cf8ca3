// Checks the library's ways of copying arrays.
// target: ArrayCopies.shift
// scope: 3
// domain: int 1..2; count -1..4
public class ArrayCopies {
    static int shift(int[] array, int count) {
        int[] copy = array.clone();
        System.arraycopy(array, 0, copy, 1, count);
        return copy.length > 1 && copy[1] == copy[0] ? 1 : 0;
    }
}
