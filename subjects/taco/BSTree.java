package taco;

import java.util.HashSet;
import java.util.Set;

/** A binary search tree of ints, each of which is there once. */
public class BSTree {
    static class Node {
        Node left;
        int key;
        Node right;
    }

    Node root;

    public boolean find(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node != null;
    }

    /** Adds a key, and says whether it was not there. */
    public boolean add(int key) {
        Node above = null;
        Node node = root;
        while (node != null) {
            if (node.key == key) {
                return false;
            }
            above = node;
            node = key < node.key ? node.left : node.right;
        }
        Node fresh = new Node();
        fresh.key = key;
        if (above == null) {
            root = fresh;
        } else if (key < above.key) {
            above.left = fresh;
        } else {
            above.right = fresh;
        }
        return true;
    }

    /** Removes a key, and says whether it was there. */
    public boolean remove(int key) {
        Node above = null;
        Node node = root;
        while (node != null && node.key != key) {
            above = node;
            node = key < node.key ? node.left : node.right;
        }
        if (node == null) {
            return false;
        }
        if (node.left != null && node.right != null) {
            Node next = node.right;
            above = node;
            while (next.left != null) {
                above = next;
                next = next.left;
            }
            node.key = next.key;
            node = next;
        }
        Node below = node.left != null ? node.left : node.right;
        if (above == null) {
            root = below;
        } else if (above.left == node) {
            above.left = below;
        } else {
            above.right = below;
        }
        return true;
    }

    /** Every key lies between those above it, so that no node can be met twice. */
    boolean repOK() {
        return isOrdered(root, null, null, new HashSet<>());
    }

    /** A tree whose keys are above that of the one node and below that of the other, where they are given. */
    private static boolean isOrdered(Node node, Node above, Node below, Set<Node> visited) {
        if (node == null) {
            return true;
        }
        if (!visited.add(node)) {
            return false;
        }
        if (above != null && node.key <= above.key || below != null && node.key >= below.key) {
            return false;
        }
        return isOrdered(node.left, above, node, visited) && isOrdered(node.right, node, below, visited);
    }
}
