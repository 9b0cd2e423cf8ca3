// Nodes of two classes, and a sentinel.
// shapes: yes
// scope: 2
// domain: int 0 1
public class Kinship {
    static class Node { Node next; }

    static class Marked extends Node { }

    static final Node END = new Node();

    Node first;

    boolean repOK() {
        if (first == null) {
            return false;
        }
        Node node = first;
        for (int i = 0; i < 3; i++) {
            if (node == END) {
                return true;
            }
            if (node.next == null) {
                return node instanceof Marked;
            }
            if (node.getClass() != Node.class && !(node instanceof Marked)) {
                return false;
            }
            node = node.next;
        }
        return false;
    }
}
