package kiasan;

/** A binary heap of ints in an array; the smallest is at index 1, and index 0 is not used. */
public class BinaryHeap {
    int[] array;
    int currentSize;

    public BinaryHeap(int capacity) {
        array = new int[capacity + 1];
    }

    /** The heap has room for the element. */
    public void insert(int element) {
        currentSize++;
        int hole = currentSize;
        while (hole > 1 && element < array[hole / 2]) {
            array[hole] = array[hole / 2];
            hole /= 2;
        }
        array[hole] = element;
    }

    /** Removes the smallest element and returns it; there is one. */
    public int deleteMin() {
        int smallest = array[1];
        array[1] = array[currentSize];
        currentSize--;
        sink();
        return smallest;
    }

    /** Moves the element at the top down to where it belongs. */
    private void sink() {
        int element = array[1];
        int hole = 1;
        while (hole * 2 <= currentSize) {
            int child = hole * 2;
            if (child != currentSize && array[child + 1] < array[child]) {
                child++;
            }
            if (!(array[child] < element)) {
                break;
            }
            array[hole] = array[child];
            hole = child;
        }
        array[hole] = element;
    }

    /** The precondition of deleteMin. */
    boolean notEmpty() {
        return currentSize > 0;
    }

    boolean repOK() {
        if (array == null || currentSize < 0 || currentSize >= array.length) {
            return false;
        }
        for (int i = 2; i <= currentSize; i++) {
            if (array[i / 2] > array[i]) {
                return false;
            }
        }
        return true;
    }
}
