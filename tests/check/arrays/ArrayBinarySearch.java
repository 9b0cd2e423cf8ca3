// Checks a binary search, also in arrays that are not sorted.
// target: ArrayBinarySearch.find
// scope: 3
// domain: int 0..2
public class ArrayBinarySearch {
    static int find(int[] array, int key) {
        int low = 0;
        int high = array.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (array[middle] < key) {
                low = middle + 1;
            } else if (array[middle] > key) {
                high = middle - 1;
            } else {
                return middle;
            }
        }
        return -(low + 1);
    }
}
