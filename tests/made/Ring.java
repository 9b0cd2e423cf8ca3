// calls: 5
// ints: 1 2
// A ring buffer: head and size stay in their ranges.
class Ring {
    private final int[] items;
    private int head;
    private int size;

    Ring(int capacity) {
        if (capacity < 1 || capacity > 2) {
            throw new IllegalArgumentException();
        }
        items = new int[capacity];
    }

    void add(int item) {
        if (size < items.length) {
            items[(head + size) % items.length] = item;
            size++;
        }
    }

    void drop() {
        if (size > 0) {
            head = (head + 1) % items.length;
            size--;
        }
    }

    int checkFirst() {
        return size == 0 ? 0 : items[head];
    }

    // Wrong at the end of the array.
    int checkSecond() {
        return size < 2 ? 0 : items[head + 1];
    }

    int checkRange() {
        assert head >= 0 && head < items.length && size >= 0 && size <= items.length;
        return 0;
    }

    int checkCapacity() {
        return 6 / items.length;
    }
}
