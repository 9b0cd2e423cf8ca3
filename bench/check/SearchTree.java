import java.util.HashSet;
import java.util.Set;

/** A binary search tree and its invariant. */
public class SearchTree {
    static class Node {
        int key;
        Node left;
        Node right;
    }

    Node root;

    boolean isValid() {
        return isValid(root, new HashSet<>(), Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private static boolean isValid(Node node, Set<Node> seen, long low, long high) {
        if (node == null) {
            return true;
        }
        if (!seen.add(node) || node.key <= low || node.key >= high) {
            return false;
        }
        return isValid(node.left, seen, low, node.key) && isValid(node.right, seen, node.key, high);
    }

    boolean insertIfValid(int key) {
        if (!isValid()) {
            return false;
        }
        Node fresh = new Node();
        fresh.key = key;
        if (root == null) {
            root = fresh;
            return true;
        }
        Node at = root;
        while (at.key != key) {
            Node next = key < at.key ? at.left : at.right;
            if (next == null) {
                if (key < at.key) {
                    at.left = fresh;
                } else {
                    at.right = fresh;
                }
                return true;
            }
            at = next;
        }
        return false;
    }
}
