import java.util.Arrays;

/**
 * Walks through every sequence of choices that a program can make: run the program, let it ask {@link #among}, call
 * {@link #advance}, and run it again, until there is no other sequence.
 */
final class Choices {
    private int[] chosen = new int[64];
    private int[] limits = new int[64];
    /** How many choices the current sequence has so far. */
    private int length;
    /** How many of them have been asked for in the current run. */
    private int asked;

    /** One of 0 to limit - 1: the same as in the previous run until the place where the runs differ. */
    int among(int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a choice among nothing");
        }
        if (asked == length) {
            if (length == chosen.length) {
                chosen = Arrays.copyOf(chosen, 2 * length);
                limits = Arrays.copyOf(limits, 2 * length);
            }
            chosen[length] = 0;
            limits[length++] = limit;
        }
        return chosen[asked++];
    }

    /** Prepares a run with the same choices as the last one. */
    void again() {
        asked = 0;
    }

    /** Prepares the next run; false if every sequence has been seen. */
    boolean advance() {
        asked = 0;
        while (length > 0) {
            if (++chosen[length - 1] < limits[length - 1]) {
                return true;
            }
            length--;
        }
        return false;
    }
}
