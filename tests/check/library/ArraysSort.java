// Checks the library's sort, fill and equality of arrays.
// target: ArraysSort.sorted
// scope: 2
// domain: int 0..2
public class ArraysSort {
    static int sorted(int[] array) {
        int[] copy = java.util.Arrays.copyOf(array, array.length);
        java.util.Arrays.sort(copy);
        return java.util.Arrays.equals(array, copy) ? 1 : 0;
    }
}
