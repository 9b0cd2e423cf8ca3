// Checks that two elements are exchanged; the same index twice changes nothing.
// target: ArraySwap.swap
// scope: 2
// domain: int -1..2; array[] 4..5
public class ArraySwap {
    static void swap(long[] array, int left, int right) {
        long moved = array[left];
        array[left] = array[right];
        array[right] = moved;
    }
}
