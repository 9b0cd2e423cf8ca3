// calls: 4
// ints: 0 1 2
// A search tree that its methods keep in order.
class Tree {
    private static final class Node {
        int key;
        Node left;
        Node right;
    }

    private Node root;

    void insert(int key) {
        Node node = new Node();
        node.key = key;
        if (root == null) {
            root = node;
            return;
        }
        Node at = root;
        while (at.key != key) {
            Node next = key < at.key ? at.left : at.right;
            if (next == null) {
                if (key < at.key) {
                    at.left = node;
                } else {
                    at.right = node;
                }
                return;
            }
            at = next;
        }
    }

    int checkOrder() {
        assert root == null || root.left == null || root.left.key < root.key;
        assert root == null || root.right == null || root.right.key > root.key;
        return 0;
    }

    int checkBoth() {
        return root != null && root.left != null && root.right != null ? 6 / 0 : 0;
    }

    int checkDeep() {
        return root != null && root.left != null && root.left.right != null ? 6 / 0 : 0;
    }

    int checkRoot() {
        return root.key;
    }
}
