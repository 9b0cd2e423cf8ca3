package pli;

import java.util.HashSet;
import java.util.Set;

/** A height-balanced search tree of ints without duplicates; a leaf has height 0. */
public class AvlTree {
    static class AvlNode {
        int element;
        AvlNode left;
        AvlNode right;
        int height;

        AvlNode(int element) {
            this.element = element;
        }
    }

    AvlNode root;

    public void insert(int element) {
        root = insertBelow(element, root);
    }

    public void remove(int element) {
        root = removeBelow(element, root);
    }

    public boolean contains(int element) {
        AvlNode at = root;
        while (at != null) {
            if (element < at.element) {
                at = at.left;
            } else if (element > at.element) {
                at = at.right;
            } else {
                return true;
            }
        }
        return false;
    }

    private static AvlNode insertBelow(int element, AvlNode node) {
        if (node == null) {
            return new AvlNode(element);
        }
        if (element < node.element) {
            node.left = insertBelow(element, node.left);
        } else if (element > node.element) {
            node.right = insertBelow(element, node.right);
        } else {
            return node;
        }
        return balance(node);
    }

    private static AvlNode removeBelow(int element, AvlNode node) {
        if (node == null) {
            return null;
        }
        if (element < node.element) {
            node.left = removeBelow(element, node.left);
        } else if (element > node.element) {
            node.right = removeBelow(element, node.right);
        } else if (node.left != null && node.right != null) {
            node.element = smallest(node.right).element;
            node.right = removeBelow(node.element, node.right);
        } else {
            return node.left != null ? node.left : node.right;
        }
        return balance(node);
    }

    private static AvlNode smallest(AvlNode node) {
        AvlNode at = node;
        while (at.left != null) {
            at = at.left;
        }
        return at;
    }

    private static int height(AvlNode node) {
        return node == null ? -1 : node.height;
    }

    private static int max(int one, int other) {
        return one > other ? one : other;
    }

    /** Restores the balance of a node whose subtrees are balanced and differ in height by at most two. */
    private static AvlNode balance(AvlNode node) {
        AvlNode top = node;
        if (height(node.left) - height(node.right) > 1) {
            // With equal grandchildren, which only a removal can leave behind, a single rotation is right.
            if (height(node.left.left) < height(node.left.right)) {
                node.left = rotateLeft(node.left);
            }
            top = rotateRight(node);
        } else if (height(node.right) - height(node.left) > 1) {
            if (height(node.right.right) < height(node.right.left)) {
                node.right = rotateRight(node.right);
            }
            top = rotateLeft(node);
        }
        top.height = max(height(top.left), height(top.right)) + 1;
        return top;
    }

    private static AvlNode rotateRight(AvlNode top) {
        AvlNode riser = top.left;
        top.left = riser.right;
        riser.right = top;
        top.height = max(height(top.left), height(top.right)) + 1;
        riser.height = max(height(riser.left), top.height) + 1;
        return riser;
    }

    private static AvlNode rotateLeft(AvlNode top) {
        AvlNode riser = top.right;
        top.right = riser.left;
        riser.left = top;
        top.height = max(height(top.left), height(top.right)) + 1;
        riser.height = max(top.height, height(riser.right)) + 1;
        return riser;
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /** What balancedHeight answers for something that is not a balanced tree. */
    private static final int WRONG = -2;

    /** A balanced tree, whatever the height fields say. */
    boolean repOKHeap() {
        return balancedHeight(root, new HashSet<>()) != WRONG;
    }

    private static int balancedHeight(AvlNode node, Set<AvlNode> visited) {
        if (node == null) {
            return -1;
        }
        if (!visited.add(node)) {
            return WRONG;
        }
        int left = balancedHeight(node.left, visited);
        if (left == WRONG) {
            return WRONG;
        }
        int right = balancedHeight(node.right, visited);
        if (right == WRONG || left - right > 1 || right - left > 1) {
            return WRONG;
        }
        return (left > right ? left : right) + 1;
    }

    /** The height fields are right, and the elements grow strictly from left to right. */
    boolean repOKData() {
        return heightsOK(root) != WRONG && sorted(root, null, null);
    }

    private static int heightsOK(AvlNode node) {
        if (node == null) {
            return -1;
        }
        int left = heightsOK(node.left);
        if (left == WRONG) {
            return WRONG;
        }
        int right = heightsOK(node.right);
        if (right == WRONG) {
            return WRONG;
        }
        int height = (left > right ? left : right) + 1;
        return node.height == height ? height : WRONG;
    }

    /** The elements of the subtree are above that of the one node and below that of the other, where they are given. */
    private static boolean sorted(AvlNode node, AvlNode above, AvlNode below) {
        if (node == null) {
            return true;
        }
        if (above != null && node.element <= above.element) {
            return false;
        }
        if (below != null && node.element >= below.element) {
            return false;
        }
        return sorted(node.left, above, node) && sorted(node.right, node, below);
    }
}
