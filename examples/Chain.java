/** A chain of numbers. One of its methods is right on every chain; the other forgets one. */
public class Chain {
    static class Link {
        int value;
        Link next;
    }

    Link first;

    /** Puts the first two links in order. */
    void orderFirstTwo() {
        if (first == null || first.next == null || first.value <= first.next.value) {
            return;
        }
        Link second = first.next;
        first.next = second.next;
        second.next = first;
        first = second;
    }

    /** Drops the second link if it repeats the first. */
    boolean dropRepeated() {
        if (first.next != null && first.next.value == first.value) {
            first.next = first.next.next;
            return true;
        }
        return false;
    }
}
