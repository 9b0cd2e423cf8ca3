package taco;

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
        return isBlack(root) && isTree(root, null) && isOrdered(root, Long.MIN_VALUE, Long.MAX_VALUE) && blackHeight(root) >= 0;
    }

    private static boolean isTree(Node node, Node parent) {
        return node == null || node.parent == parent && isTree(node.left, node) && isTree(node.right, node);
    }

    private static boolean isOrdered(Node node, long low, long high) {
        return node == null
                || low < node.key && node.key < high
                && isOrdered(node.left, low, node.key)
                && isOrdered(node.right, node.key, high);
    }

    /** The number of black nodes on each way down; -1 if they differ, or if a red node has a red child. */
    private static int blackHeight(Node node) {
        if (node == null) {
            return 0;
        }
        if (!node.isBlack && !(isBlack(node.left) && isBlack(node.right))) {
            return -1;
        }
        int left = blackHeight(node.left);
        int right = blackHeight(node.right);
        return left < 0 || left != right ? -1 : left + (node.isBlack ? 1 : 0);
    }
}
