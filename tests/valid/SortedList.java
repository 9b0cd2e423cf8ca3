import java.util.HashSet;
import java.util.Set;

/** A sorted list without repetitions, one method that keeps it valid, and one that does not. */
public class SortedList {
    static class Node {
        int key;
        Node next;
    }

    Node head;
    int size;

    boolean repOK() {
        Set<Node> seen = new HashSet<>();
        for (Node node = head; node != null; node = node.next) {
            if (!seen.add(node) || (node.next != null && node.key >= node.next.key)) {
                return false;
            }
        }
        return seen.size() == size;
    }

    boolean add(int key) {
        Node before = null;
        Node at = head;
        while (at != null && at.key < key) {
            before = at;
            at = at.next;
        }
        if (at != null && at.key == key) {
            return false;
        }
        Node fresh = new Node();
        fresh.key = key;
        fresh.next = at;
        if (before == null) {
            head = fresh;
        } else {
            before.next = fresh;
        }
        size++;
        return true;
    }

    /** Forgets to count. */
    void removeFirst() {
        if (head != null) {
            head = head.next;
        }
    }

    /** Both lists are valid, and may be the same. */
    static void addAll(SortedList all, SortedList more) {
        if (all == null || more == null) {
            return;
        }
        for (Node node = more.head; node != null; node = node.next) {
            all.add(node.key);
        }
    }
}
