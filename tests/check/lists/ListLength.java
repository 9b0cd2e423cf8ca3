// Checks a recursion that never ends on a cyclic list: its stack overflows.
// target: ListLength.length
// scope: 3
public class ListLength {
    static class Node {
        Node next;
    }

    static int length(Node node) {
        return node == null ? 0 : 1 + length(node.next);
    }
}
