// Checks a merge of two lists, which may share nodes, into a new one of at most two nodes.
// target: ListMerge.merge
// scope-for-threads: 6
// scope: 2
// domain: int 0..1
public class ListMerge {
    static class Node {
        int elem;
        Node next;
    }

    static Node merge(Node left, Node right) {
        return merged(left, right, 2);
    }

    private static Node merged(Node left, Node right, int room) {
        if (room == 0 || left == null && right == null) {
            return null;
        }
        boolean takesLeft = right == null || left != null && left.elem <= right.elem;
        Node node = new Node();
        node.elem = takesLeft ? left.elem : right.elem;
        node.next = takesLeft ? merged(left.next, right, room - 1) : merged(left, right.next, room - 1);
        return node;
    }
}
