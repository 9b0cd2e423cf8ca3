// Binary search trees.
// shapes: yes
// scope: 3
// domain: int 0 1 2
public class Tree {
    static class Node { int key; Node left; Node right; }

    Node root;

    boolean repOK() {
        return isOrdered(root, -1, 3);
    }

    private static boolean isOrdered(Node node, int low, int high) {
        return node == null || node.key > low && node.key < high && isOrdered(node.left, low, node.key)
                && isOrdered(node.right, node.key, high);
    }
}
