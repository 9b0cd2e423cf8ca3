// calls: 4
// ints: 0 1
// A bounded stack that is right, and methods that are not.
class Steps {
    private final int[] items = new int[2];
    private int size;

    boolean push(int item) {
        if (size == items.length) {
            return false;
        }
        items[size++] = item;
        return true;
    }

    int pop() {
        if (size == 0) {
            throw new IllegalStateException();
        }
        return items[--size];
    }

    int checkTop() {
        return size == 0 ? 0 : items[size - 1];
    }

    // Fails on a full stack.
    int checkNext() {
        return items[size];
    }

    // Fails on an empty stack.
    int checkLast() {
        return items[size - 1];
    }

    int checkSize() {
        assert size >= 0 && size <= 2;
        return 0;
    }

    // A slot keeps what was there before.
    int checkStale() {
        return size == 1 && items[1] != 0 ? 6 / 0 : 0;
    }
}
