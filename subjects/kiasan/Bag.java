package kiasan;

/** A bag of ints in an array, of which the smallest can be taken; the first ones of the array count. After an example that is often shown to checkers. */
public class Bag {
    int size;
    int[] elements;

    /** The bag has the elements of the array, which is not null. */
    public Bag(int[] input) {
        size = input.length;
        elements = new int[size];
        System.arraycopy(input, 0, elements, 0, size);
    }

    /** Takes the smallest element out; there is one. */
    public int extractMin() {
        int least = Integer.MAX_VALUE;
        int index = 0;
        for (int i = 0; i < size; i++) {
            if (elements[i] <= least) {
                index = i;
                least = elements[i];
            }
        }
        size--;
        elements[index] = elements[size];
        return least;
    }

    /** The precondition of extractMin. */
    boolean notEmpty() {
        return size > 0;
    }

    boolean repOK() {
        return elements != null && 0 <= size && size <= elements.length;
    }
}
