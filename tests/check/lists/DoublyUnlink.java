// Checks that a node of a doubly linked list is taken out, whatever its neighbours are.
// target: DoublyUnlink$Node.unlink
// scope: 3
public class DoublyUnlink {
    static class Node {
        Node previous;
        Node next;

        void unlink() {
            if (previous != null) {
                previous.next = next;
            }
            if (next != null) {
                next.previous = previous;
            }
            previous = null;
            next = null;
        }
    }
}
