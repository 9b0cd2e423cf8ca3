// defect wrapped, missing wrap around: RingBuffer.add throws ArrayIndexOutOfBoundsException
//     RingBuffer buffer = new RingBuffer(2);
//     buffer.add(1);
//     buffer.add(2);
//     buffer.remove();
//     buffer.add(3);
// defect oldest, stale counter: RingBuffer.remove throws NullPointerException
//     RingBuffer buffer = new RingBuffer(2);
//     buffer.add(1);
//     buffer.clear();
//     try {
//         buffer.remove();
//     } catch (IllegalStateException rejected) {
//     }
package ordinary.ring;

/** A queue of fixed capacity. */
public class RingBuffer {
    private final Integer[] items;
    private int head;
    private int size;

    public RingBuffer(int capacity) {
        if (capacity <= 0) {
            throw new IllegalArgumentException("Capacity must be positive: " + capacity);
        }
        items = new Integer[capacity];
    }

    public boolean add(int item) {
        if (isFull()) {
            return false;
        }
        items[(head + size) % items.length] = item; // defect wrapped: items[head + size] = item;
        size++;
        return true;
    }

    public int remove() {
        if (size == 0) {
            throw new IllegalStateException("empty");
        }
        int item = items[head];
        items[head] = null;
        head = (head + 1) % items.length;
        size--;
        return item;
    }

    public void clear() {
        java.util.Arrays.fill(items, null);
        head = 0;
        size = 0; // defect oldest:
    }

    public boolean isFull() {
        return size == items.length;
    }

    public int size() {
        return size;
    }

    public boolean contains(int wanted) {
        for (int i = 0; i < size; i++) {
            if (items[(head + i) % items.length] == wanted) {
                return true;
            }
        }
        return false;
    }
}
