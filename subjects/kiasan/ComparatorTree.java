package kiasan;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/** A binary search tree of objects without duplicates, not balanced; a comparator orders them. */
public class ComparatorTree {
    static class Node {
        Object element;
        Node left;
        Node right;
    }

    Comparator order;
    Node root;

    public ComparatorTree(Comparator order) {
        this.order = order;
    }

    public void insert(Object element) {
        root = insertBelow(element, root);
    }

    /** The precondition of insert. */
    boolean given(Object element) {
        return element != null;
    }

    private Node insertBelow(Object element, Node node) {
        if (node == null) {
            Node fresh = new Node();
            fresh.element = element;
            return fresh;
        }
        int found = order.compare(element, node.element);
        if (found < 0) {
            node.left = insertBelow(element, node.left);
        } else if (found > 0) {
            node.right = insertBelow(element, node.right);
        }
        return node;
    }

    boolean repOK() {
        return order != null && sorted(root, null, null, new HashSet<>());
    }

    /** The elements of the subtree are above that of the one node and below that of the other, where they are given. */
    private boolean sorted(Node node, Node above, Node below, Set<Node> visited) {
        if (node == null) {
            return true;
        }
        if (!visited.add(node) || node.element == null) {
            return false;
        }
        if (above != null && order.compare(node.element, above.element) <= 0) {
            return false;
        }
        if (below != null && order.compare(node.element, below.element) >= 0) {
            return false;
        }
        return sorted(node.left, above, node, visited) && sorted(node.right, node, below, visited);
    }
}
