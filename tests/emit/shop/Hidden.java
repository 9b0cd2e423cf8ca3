package shop;

/** Private and final fields, a private class, and a constructor that refuses: only reflection makes these objects. */
public class Hidden {
    private static class Link {
        private final int value;
        private Link next;

        private Link(int value) {
            this.value = value;
        }
    }

    private Link first;
    private final int most;
    private final String name;

    private Hidden(int most) {
        if (most < 0) {
            throw new IllegalArgumentException();
        }
        this.most = most;
        this.name = "x";
    }

    /** Throws if a link repeats the one before it. */
    public int longest() {
        int length = 0;
        for (Link at = first; at != null && length < 3; at = at.next) {
            if (at.next != null && at.next.value == at.value) {
                throw new AssertionError("repeated");
            }
            length++;
        }
        return length > most ? most : length;
    }

    private boolean isNamed(String wanted) {
        return name.equals(wanted);
    }

    boolean holds(Object wanted) {
        return first == wanted && first != null;
    }
}
