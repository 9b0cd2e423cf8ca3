package bliss;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A height-balanced search tree of ints that is its own root node; a leaf has height 0. */
public class AvlTree {
    int element;
    int height;
    AvlTree left;
    AvlTree right;

    AvlTree(int element) {
        this.element = element;
    }

    /** Visits the nodes breadth-first, and returns how many there are. */
    public int bfs() {
        Set<AvlTree> visited = new HashSet<>();
        List<AvlTree> pending = new ArrayList<>();
        visited.add(this);
        pending.add(this);
        while (!pending.isEmpty()) {
            AvlTree node = pending.remove(0);
            if (node.left != null && visited.add(node.left)) {
                pending.add(node.left);
            }
            if (node.right != null && visited.add(node.right)) {
                pending.add(node.right);
            }
        }
        return visited.size();
    }

    /** Visits the nodes depth-first, and returns how many there are. */
    public int dfs() {
        Set<AvlTree> visited = new HashSet<>();
        visit(this, visited);
        return visited.size();
    }

    private static void visit(AvlTree node, Set<AvlTree> visited) {
        if (node != null && visited.add(node)) {
            visit(node.left, visited);
            visit(node.right, visited);
        }
    }

    public boolean contains(int element) {
        AvlTree at = this;
        while (at != null) {
            if (at.element == element) {
                return true;
            }
            at = element < at.element ? at.left : at.right;
        }
        return false;
    }

    /** Inserts the element, and returns the new root. */
    public AvlTree insert(int element) {
        return insertBelow(element, this);
    }

    /** Removes the element, and returns the new root, which is null if nothing is left. */
    public AvlTree remove(int element) {
        return removeBelow(element, this);
    }

    private static AvlTree insertBelow(int element, AvlTree node) {
        if (node == null) {
            return new AvlTree(element);
        }
        AvlTree top = node;
        if (element < node.element) {
            node.left = insertBelow(element, node.left);
            if (height(node.left) - height(node.right) == 2) {
                if (element < node.left.element) {
                    top = rotateRight(node);
                } else {
                    node.left = rotateLeft(node.left);
                    top = rotateRight(node);
                }
            }
        } else if (element > node.element) {
            node.right = insertBelow(element, node.right);
            if (height(node.right) - height(node.left) == 2) {
                if (element > node.right.element) {
                    top = rotateLeft(node);
                } else {
                    node.right = rotateRight(node.right);
                    top = rotateLeft(node);
                }
            }
        }
        top.height = max(height(top.left), height(top.right)) + 1;
        return top;
    }

    private static AvlTree removeBelow(int element, AvlTree node) {
        if (node == null) {
            return null;
        }
        if (element < node.element) {
            node.left = removeBelow(element, node.left);
        } else if (element > node.element) {
            node.right = removeBelow(element, node.right);
        } else if (node.left != null && node.right != null) {
            AvlTree smallest = node.right;
            while (smallest.left != null) {
                smallest = smallest.left;
            }
            node.element = smallest.element;
            node.right = removeBelow(node.element, node.right);
        } else {
            return node.left != null ? node.left : node.right;
        }
        AvlTree top = node;
        if (height(node.left) - height(node.right) > 1) {
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

    private static int height(AvlTree node) {
        return node == null ? -1 : node.height;
    }

    private static int max(int one, int other) {
        return one > other ? one : other;
    }

    private static AvlTree rotateRight(AvlTree top) {
        AvlTree riser = top.left;
        top.left = riser.right;
        riser.right = top;
        top.height = max(height(top.left), height(top.right)) + 1;
        riser.height = max(height(riser.left), top.height) + 1;
        return riser;
    }

    private static AvlTree rotateLeft(AvlTree top) {
        AvlTree riser = top.right;
        top.right = riser.left;
        riser.left = top;
        top.height = max(height(top.left), height(top.right)) + 1;
        riser.height = max(top.height, height(riser.right)) + 1;
        return riser;
    }

    /** What heightOK answers for something that is not an AVL tree. */
    private static final int WRONG = -2;

    /** A balanced tree with right heights and strictly growing elements. */
    public boolean repOK() {
        return heightOK(this, null, null, new HashSet<>()) != WRONG;
    }

    /** The height, if the elements are above that of the one node and below that of the other, where they are given. */
    private static int heightOK(AvlTree node, AvlTree above, AvlTree below, Set<AvlTree> visited) {
        if (node == null) {
            return -1;
        }
        if (!visited.add(node)) {
            return WRONG;
        }
        if (above != null && node.element <= above.element) {
            return WRONG;
        }
        if (below != null && node.element >= below.element) {
            return WRONG;
        }
        int left = heightOK(node.left, above, node, visited);
        if (left == WRONG) {
            return WRONG;
        }
        int right = heightOK(node.right, node, below, visited);
        if (right == WRONG || left - right > 1 || right - left > 1) {
            return WRONG;
        }
        int height = (left > right ? left : right) + 1;
        return node.height == height ? height : WRONG;
    }
}
