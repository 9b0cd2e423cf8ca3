// calls: 3
// ints: 0 1 2
// Arrays: one is handed out, one is copied, one is taken in.
class Shelf {
    private final int[] shown = new int[2];
    private final int[] copied = new int[2];
    private int[] taken = {1};

    int[] shown() {
        return shown;
    }

    int[] copied() {
        return copied.clone();
    }

    void take(int[] array) {
        if (array != null && array.length == 2) {
            taken = array;
        }
    }

    int checkShown() {
        return 6 / (shown[1] - 2);
    }

    int checkCopied() {
        return 6 / (copied[1] - 2);
    }

    int checkSame() {
        return taken == shown ? 6 / 0 : 0;
    }

    int checkNotCopied() {
        return taken == copied ? 6 / 0 : 0;
    }

    int checkArgument(int[] array) {
        return array == shown ? 6 / 0 : 0;
    }

    int checkHidden(int[] array) {
        return array == copied ? 6 / 0 : 0;
    }
}
