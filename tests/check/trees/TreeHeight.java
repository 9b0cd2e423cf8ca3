// Checks a recursion over both children.
// target: TreeHeight.height
// scope: 2
// domain: int 0
public class TreeHeight {
    static class Node {
        Node left;
        Node right;
    }

    static int height(Node node) {
        return node == null ? 0 : 1 + Math.max(height(node.left), height(node.right));
    }
}
