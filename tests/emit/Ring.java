/** A cyclic list without a package. */
public class Ring {
    static class Node {
        Node next;
        int value;
    }

    Node entry;

    /** Counts the nodes of a ring. */
    int count() {
        int count = 1;
        for (Node at = entry.next; at != entry; at = at.next) {
            count++;
        }
        return count;
    }

    /** Cuts the ring behind its entry. */
    void cut() {
        if (entry.next != entry) {
            entry.next = null;
        }
    }

    boolean repOK() {
        if (entry == null) {
            return false;
        }
        java.util.Set<Node> seen = new java.util.HashSet<>();
        Node at = entry;
        while (seen.add(at)) {
            at = at.next;
            if (at == null) {
                return false;
            }
        }
        return at == entry;
    }
}
