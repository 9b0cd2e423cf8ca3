/** Sorts, and searches what is sorted. */
public class Sorting {
    static void insertionSort(int[] numbers) {
        for (int next = 1; next < numbers.length; next++) {
            int number = numbers[next];
            int at = next - 1;
            while (at >= 0 && numbers[at] > number) {
                numbers[at + 1] = numbers[at];
                at--;
            }
            numbers[at + 1] = number;
        }
    }

    static int binarySearch(int[] numbers, int wanted) {
        int low = 0;
        int high = numbers.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (numbers[middle] == wanted) {
                return middle;
            }
            if (numbers[middle] < wanted) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -1;
    }
}
