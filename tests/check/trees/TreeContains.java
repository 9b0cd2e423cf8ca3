// Checks the search in a binary search tree, at most two steps deep.
// target: TreeContains.contains
// scope: 2
// domain: int 0..2
public class TreeContains {
    Node root;

    static class Node {
        int key;
        Node left;
        Node right;
    }

    boolean contains(int key) {
        Node at = root;
        for (int steps = 0; at != null && steps < 3; steps++) {
            if (key == at.key) {
                return true;
            }
            at = key < at.key ? at.left : at.right;
        }
        return false;
    }
}
