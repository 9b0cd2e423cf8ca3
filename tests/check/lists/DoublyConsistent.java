// Checks that the two directions of a doubly linked list are compared by identity.
// target: DoublyConsistent$Node.isConsistent
// scope: 3
public class DoublyConsistent {
    static class Node {
        Node previous;
        Node next;

        boolean isConsistent() {
            return (next == null || next.previous == this) && (previous == null || previous.next == this);
        }
    }
}
