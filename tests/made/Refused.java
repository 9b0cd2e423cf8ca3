// calls: 3
// classes: Refused
// ints: -1 1
// A call that refuses, and has changed something before, is one of the calls that make inputs; one that fails by a null is not.
import java.util.ArrayList;
import java.util.List;

class Refused {
    static final class Full extends Exception {}

    private final List<Integer> items = new ArrayList<>();
    private int size;
    private int limit = 1;
    private int counted;
    private boolean isFull;
    private boolean isOpen;

    void add(int item) {
        size++;
        if (item < 0) {
            throw new IllegalArgumentException("item");
        }
        items.add(item);
    }

    void limit(int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("limit");
        }
        this.limit = limit;
    }

    void fill() throws Full {
        isFull = true;
        throw new Full();
    }

    void measure(String text) {
        isOpen = true;
        counted += text.length();
        isOpen = false;
    }

    int checkLast() {
        return size == 0 ? 0 : items.get(size - 1);
    }

    int checkLimit() {
        return 6 / limit;
    }

    int checkFull() {
        return isFull ? 6 / 0 : 0;
    }

    int checkOpen() {
        return isOpen ? 6 / 0 : 0;
    }
}
