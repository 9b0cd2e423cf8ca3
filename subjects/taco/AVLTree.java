package taco;

import java.util.HashSet;
import java.util.Set;

/** A search tree of ints in which the heights of two neighbours differ by one at most. A tree of one node has the height 1. */
public class AVLTree {
    static class Node {
        int element;
        Node left;
        Node right;
        int height;
    }

    Node root;

    /** The greatest element, or the smallest int if there is none. */
    public int findMax() {
        if (root == null) {
            return Integer.MIN_VALUE;
        }
        Node node = root;
        while (node.right != null) {
            node = node.right;
        }
        return node.element;
    }

    public boolean find(int element) {
        Node node = root;
        while (node != null && node.element != element) {
            node = element < node.element ? node.left : node.right;
        }
        return node != null;
    }

    public void insert(int element) {
        root = inserted(root, element);
    }

    private static Node inserted(Node node, int element) {
        if (node == null) {
            Node fresh = new Node();
            fresh.element = element;
            fresh.height = 1;
            return fresh;
        }
        if (element == node.element) {
            return node;
        }
        if (element < node.element) {
            node.left = inserted(node.left, element);
        } else {
            node.right = inserted(node.right, element);
        }
        return balanced(node);
    }

    private static Node balanced(Node node) {
        int difference = height(node.left) - height(node.right);
        if (difference > 1) {
            if (height(node.left.left) < height(node.left.right)) {
                node.left = turnedLeft(node.left);
            }
            return turnedRight(node);
        }
        if (difference < -1) {
            if (height(node.right.right) < height(node.right.left)) {
                node.right = turnedRight(node.right);
            }
            return turnedLeft(node);
        }
        measure(node);
        return node;
    }

    private static Node turnedRight(Node node) {
        Node top = node.left;
        node.left = top.right;
        top.right = node;
        measure(node);
        measure(top);
        return top;
    }

    private static Node turnedLeft(Node node) {
        Node top = node.right;
        node.right = top.left;
        top.left = node;
        measure(node);
        measure(top);
        return top;
    }

    private static void measure(Node node) {
        node.height = 1 + greater(height(node.left), height(node.right));
    }

    private static int greater(int one, int other) {
        return one > other ? one : other;
    }

    private static int height(Node node) {
        return node == null ? 0 : node.height;
    }

    boolean repOK() {
        return isBalanced(root, null, null, new HashSet<>());
    }

    /** A tree whose elements are above that of the one node and below that of the other, where they are given. */
    private static boolean isBalanced(Node node, Node above, Node below, Set<Node> visited) {
        if (node == null) {
            return true;
        }
        if (!visited.add(node)) {
            return false;
        }
        if (above != null && node.element <= above.element || below != null && node.element >= below.element) {
            return false;
        }
        int left = height(node.left);
        int right = height(node.right);
        if (left > right + 1 || right > left + 1 || node.height != 1 + greater(left, right)) {
            return false;
        }
        return isBalanced(node.left, above, node, visited) && isBalanced(node.right, node, below, visited);
    }
}
