// Checks the reversal in place, which ends on cyclic lists too: it comes back to the head.
// target: ListReverse.reverse
// scope: 3
// domain: int 0
public class ListReverse {
    static class Node {
        int elem;
        Node next;
    }

    static Node reverse(Node head) {
        Node done = null;
        while (head != null) {
            Node rest = head.next;
            head.next = done;
            done = head;
            head = rest;
        }
        return done;
    }
}
