// Checks counting with a mark in each node, so that shared nodes count once and cycles end.
// target: TreeCount.count
// scope: 2
public class TreeCount {
    static class Node {
        boolean isMarked;
        Node left;
        Node right;
    }

    static int count(Node node) {
        if (node == null || node.isMarked) {
            return 0;
        }
        node.isMarked = true;
        return 1 + count(node.left) + count(node.right);
    }
}
