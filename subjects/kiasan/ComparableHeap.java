package kiasan;

/** A binary heap in an array of objects that know their order; the smallest is at index 1, and index 0 is not used. */
public class ComparableHeap {
    Comparable[] array;
    int currentSize;

    public ComparableHeap(int capacity) {
        array = new Comparable[capacity + 1];
    }

    /** The heap has room for the element, which is not null. */
    public void insert(Comparable element) {
        currentSize++;
        int hole = currentSize;
        while (hole > 1 && element.compareTo(array[hole / 2]) < 0) {
            array[hole] = array[hole / 2];
            hole /= 2;
        }
        array[hole] = element;
    }

    /** Removes the smallest element and returns it; there is one. */
    public Comparable deleteMin() {
        Comparable smallest = array[1];
        array[1] = array[currentSize];
        currentSize--;
        sink();
        return smallest;
    }

    /** Moves the element at the top down to where it belongs. */
    private void sink() {
        Comparable element = array[1];
        int hole = 1;
        while (hole * 2 <= currentSize) {
            int child = hole * 2;
            if (child != currentSize && array[child + 1].compareTo(array[child]) < 0) {
                child++;
            }
            if (!(array[child].compareTo(element) < 0)) {
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
        for (int i = 1; i <= currentSize; i++) {
            if (array[i] == null || (i > 1 && array[i / 2].compareTo(array[i]) > 0)) {
                return false;
            }
        }
        return true;
    }
}
