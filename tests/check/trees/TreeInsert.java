// Checks the insertion into a binary search tree; on a cyclic one the recursion never ends.
// target: TreeInsert.insert
// scope: 2
// domain: int 0..2
public class TreeInsert {
    static class Node {
        int key;
        Node left;
        Node right;
    }

    static Node insert(Node node, int key) {
        if (node == null) {
            Node leaf = new Node();
            leaf.key = key;
            return leaf;
        }
        if (key < node.key) {
            node.left = insert(node.left, key);
        } else if (key > node.key) {
            node.right = insert(node.right, key);
        }
        return node;
    }
}
