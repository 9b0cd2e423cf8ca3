// Checks that three elements are sorted by comparisons and exchanges.
// target: ArraySortThree.sort
// scope: 3
// domain: int 0..2
public class ArraySortThree {
    static void sort(int[] array) {
        if (array.length != 3) {
            throw new IllegalArgumentException("not three");
        }
        order(array, 0, 1);
        order(array, 1, 2);
        order(array, 0, 1);
        assert array[0] <= array[1] && array[1] <= array[2];
    }

    private static void order(int[] array, int left, int right) {
        if (array[left] > array[right]) {
            int moved = array[left];
            array[left] = array[right];
            array[right] = moved;
        }
    }
}
