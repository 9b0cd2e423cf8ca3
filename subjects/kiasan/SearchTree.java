package kiasan;

import java.util.HashSet;
import java.util.Set;

/** A binary search tree of ints without duplicates, not balanced. */
public class SearchTree {
    static class Node {
        int element;
        Node left;
        Node right;
    }

    Node root;

    public void insert(int element) {
        root = insertBelow(element, root);
    }

    private static Node insertBelow(int element, Node node) {
        if (node == null) {
            Node fresh = new Node();
            fresh.element = element;
            return fresh;
        }
        if (element < node.element) {
            node.left = insertBelow(element, node.left);
        } else if (element > node.element) {
            node.right = insertBelow(element, node.right);
        }
        return node;
    }

    boolean repOK() {
        return sorted(root, null, null, new HashSet<>());
    }

    /** The elements of the subtree are above that of the one node and below that of the other, where they are given. */
    private static boolean sorted(Node node, Node above, Node below, Set<Node> visited) {
        if (node == null) {
            return true;
        }
        if (!visited.add(node)) {
            return false;
        }
        if (above != null && node.element <= above.element) {
            return false;
        }
        if (below != null && node.element >= below.element) {
            return false;
        }
        return sorted(node.left, above, node, visited) && sorted(node.right, node, below, visited);
    }
}
