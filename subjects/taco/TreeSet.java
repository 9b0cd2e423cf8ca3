package taco;

import java.util.HashSet;
import java.util.Set;

/** A set of ints as a red-black tree with parents. */
public class TreeSet {
    static class Node {
        int key;
        Node left;
        Node right;
        Node parent;
        boolean isBlack;
    }

    Node root;

    public boolean find(int key) {
        return nodeOf(key) != null;
    }

    /** Adds a key, and says whether it was not there. */
    public boolean insert(int key) {
        Node above = null;
        Node node = root;
        while (node != null) {
            if (key == node.key) {
                return false;
            }
            above = node;
            node = key < node.key ? node.left : node.right;
        }
        Node fresh = new Node();
        fresh.key = key;
        fresh.parent = above;
        if (above == null) {
            root = fresh;
        } else if (key < above.key) {
            above.left = fresh;
        } else {
            above.right = fresh;
        }
        repairRed(fresh);
        return true;
    }

    /** Removes a key, and says whether it was there. */
    public boolean remove(int key) {
        Node node = nodeOf(key);
        if (node == null) {
            return false;
        }
        if (node.left != null && node.right != null) {
            Node next = node.right;
            while (next.left != null) {
                next = next.left;
            }
            node.key = next.key;
            node = next;
        }
        Node below = node.left != null ? node.left : node.right;
        Node above = node.parent;
        boolean isLeft = above != null && above.left == node;
        replace(node, below);
        if (node.isBlack) {
            repairBlack(below, above, isLeft);
        }
        return true;
    }

    private Node nodeOf(int key) {
        Node node = root;
        while (node != null && node.key != key) {
            node = key < node.key ? node.left : node.right;
        }
        return node;
    }

    /** A red node may have a red parent: moves that up until it can be mended. */
    private void repairRed(Node fresh) {
        Node node = fresh;
        while (node.parent != null && !node.parent.isBlack) {
            Node parent = node.parent;
            Node grandparent = parent.parent;
            boolean isLeft = parent == grandparent.left;
            Node uncle = isLeft ? grandparent.right : grandparent.left;
            if (uncle != null && !uncle.isBlack) {
                parent.isBlack = true;
                uncle.isBlack = true;
                grandparent.isBlack = false;
                node = grandparent;
                continue;
            }
            if (node == (isLeft ? parent.right : parent.left)) {
                turn(parent, isLeft);
                parent = node;
            }
            parent.isBlack = true;
            grandparent.isBlack = false;
            turn(grandparent, !isLeft);
            break;
        }
        root.isBlack = true;
    }

    /** Below `above`, on one side, a black node is missing: moves that up until it can be mended. */
    private void repairBlack(Node below, Node above, boolean side) {
        Node node = below;
        Node parent = above;
        boolean isLeft = side;
        while (parent != null && (node == null || node.isBlack)) {
            Node other = isLeft ? parent.right : parent.left;
            if (!other.isBlack) {
                other.isBlack = true;
                parent.isBlack = false;
                turn(parent, isLeft);
                other = isLeft ? parent.right : parent.left;
            }
            Node outer = isLeft ? other.right : other.left;
            Node inner = isLeft ? other.left : other.right;
            if (isBlack(outer) && isBlack(inner)) {
                other.isBlack = false;
                node = parent;
                parent = node.parent;
                isLeft = parent != null && parent.left == node;
                continue;
            }
            if (isBlack(outer)) {
                inner.isBlack = true;
                other.isBlack = false;
                turn(other, !isLeft);
                outer = other;
                other = inner;
            }
            other.isBlack = parent.isBlack;
            parent.isBlack = true;
            outer.isBlack = true;
            turn(parent, isLeft);
            return;
        }
        if (node != null) {
            node.isBlack = true;
        }
    }

    private static boolean isBlack(Node node) {
        return node == null || node.isBlack;
    }

    /** Lets a node go down to the left, or to the right, and its other child come up. */
    private void turn(Node node, boolean toLeft) {
        Node child = toLeft ? node.right : node.left;
        Node moved = toLeft ? child.left : child.right;
        if (toLeft) {
            node.right = moved;
        } else {
            node.left = moved;
        }
        if (moved != null) {
            moved.parent = node;
        }
        replace(node, child);
        if (toLeft) {
            child.left = node;
        } else {
            child.right = node;
        }
        node.parent = child;
    }

    /** Puts a node, or nothing, in the place of another. */
    private void replace(Node node, Node by) {
        Node parent = node.parent;
        if (parent == null) {
            root = by;
        } else if (parent.left == node) {
            parent.left = by;
        } else {
            parent.right = by;
        }
        if (by != null) {
            by.parent = parent;
        }
    }

    boolean repOK() {
        return isBlack(root) && blacks(root, null, null, null, new HashSet<>()) >= 0;
    }

    /**
     * The number of black nodes on each way down; less than zero if they differ, if a red node is below a red one, or if a key is not above that of the
     * one node and below that of the other, where they are given.
     */
    private static int blacks(Node node, Node parent, Node above, Node below, Set<Node> visited) {
        if (node == null) {
            return 0;
        }
        if (!visited.add(node) || node.parent != parent) {
            return -1;
        }
        if (above != null && node.key <= above.key || below != null && node.key >= below.key) {
            return -1;
        }
        if (!node.isBlack && !isBlack(parent)) {
            return -1;
        }
        int left = blacks(node.left, node, above, node, visited);
        if (left < 0) {
            return -1;
        }
        int right = blacks(node.right, node, node, below, visited);
        return left != right ? -1 : left + (node.isBlack ? 1 : 0);
    }
}
