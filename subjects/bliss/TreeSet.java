package bliss;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A red-black tree of ints that is its own root node. A colour that is not red counts as black. */
public class TreeSet {
    static final int RED = 0;
    static final int BLACK = 1;

    int key;
    int color;
    TreeSet left;
    TreeSet right;
    TreeSet parent;

    /** A tree of one node. */
    TreeSet(int key) {
        this.key = key;
        color = BLACK;
    }

    /** Visits the nodes breadth-first, and returns how many there are. */
    public int bfs() {
        Set<TreeSet> visited = new HashSet<>();
        List<TreeSet> pending = new ArrayList<>();
        visited.add(this);
        pending.add(this);
        while (!pending.isEmpty()) {
            TreeSet node = pending.remove(0);
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
        Set<TreeSet> visited = new HashSet<>();
        visit(this, visited);
        return visited.size();
    }

    private static void visit(TreeSet node, Set<TreeSet> visited) {
        if (node != null && visited.add(node)) {
            visit(node.left, visited);
            visit(node.right, visited);
        }
    }

    public boolean contains(int key) {
        TreeSet at = this;
        while (at != null) {
            if (at.key == key) {
                return true;
            }
            at = key < at.key ? at.left : at.right;
        }
        return false;
    }

    /** Adds the key to a valid tree, and returns the new root. */
    public TreeSet add(int key) throws IllegalStateException {
        if (!repOK()) {
            throw new IllegalStateException();
        }
        TreeSet at = this;
        while (true) {
            if (key == at.key) {
                return this;
            }
            TreeSet next = key < at.key ? at.left : at.right;
            if (next == null) {
                break;
            }
            at = next;
        }
        TreeSet fresh = new TreeSet(key);
        fresh.parent = at;
        if (key < at.key) {
            at.left = fresh;
        } else {
            at.right = fresh;
        }
        return fixAfterInsertion(this, fresh);
    }

    /** Removes the key, and returns the new root, which is null if nothing is left. */
    public TreeSet remove(int key) {
        TreeSet at = this;
        while (at != null) {
            if (key < at.key) {
                at = at.left;
            } else if (key > at.key) {
                at = at.right;
            } else {
                return delete(this, at);
            }
        }
        return this;
    }

    // Missing nodes count as black and have no relatives, which saves the fix-ups from asking for null.

    private static boolean isRed(TreeSet node) {
        return node != null && node.color == RED;
    }

    private static TreeSet parentOf(TreeSet node) {
        return node == null ? null : node.parent;
    }

    private static TreeSet leftOf(TreeSet node) {
        return node == null ? null : node.left;
    }

    private static TreeSet rightOf(TreeSet node) {
        return node == null ? null : node.right;
    }

    private static void setColor(TreeSet node, int color) {
        if (node != null) {
            node.color = color;
        }
    }

    // There is no field for the root, so whatever may change it takes the old root and returns the new one.

    private static TreeSet rotateLeft(TreeSet root, TreeSet top) {
        if (top == null) {
            return root;
        }
        TreeSet riser = top.right;
        top.right = riser.left;
        if (riser.left != null) {
            riser.left.parent = top;
        }
        TreeSet newRoot = replaceInParent(root, top, riser);
        riser.left = top;
        top.parent = riser;
        return newRoot;
    }

    private static TreeSet rotateRight(TreeSet root, TreeSet top) {
        if (top == null) {
            return root;
        }
        TreeSet riser = top.left;
        top.left = riser.right;
        if (riser.right != null) {
            riser.right.parent = top;
        }
        // The mirror image of rotateLeft looks at the other side of the parent first.
        riser.parent = top.parent;
        TreeSet newRoot = root;
        if (top.parent == null) {
            newRoot = riser;
        } else if (top.parent.right == top) {
            top.parent.right = riser;
        } else {
            top.parent.left = riser;
        }
        riser.right = top;
        top.parent = riser;
        return newRoot;
    }

    private static TreeSet replaceInParent(TreeSet root, TreeSet old, TreeSet replacement) {
        replacement.parent = old.parent;
        if (old.parent == null) {
            return replacement;
        }
        if (old == old.parent.left) {
            old.parent.left = replacement;
        } else {
            old.parent.right = replacement;
        }
        return root;
    }

    private static TreeSet fixAfterInsertion(TreeSet oldRoot, TreeSet fresh) {
        TreeSet root = oldRoot;
        fresh.color = RED;
        TreeSet x = fresh;
        while (x != null && x != root && isRed(x.parent)) {
            if (parentOf(x) == leftOf(parentOf(parentOf(x)))) {
                TreeSet uncle = rightOf(parentOf(parentOf(x)));
                if (isRed(uncle)) {
                    setColor(parentOf(x), BLACK);
                    setColor(uncle, BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    x = parentOf(parentOf(x));
                } else {
                    if (x == rightOf(parentOf(x))) {
                        x = parentOf(x);
                        root = rotateLeft(root, x);
                    }
                    setColor(parentOf(x), BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    root = rotateRight(root, parentOf(parentOf(x)));
                }
            } else {
                TreeSet uncle = leftOf(parentOf(parentOf(x)));
                if (isRed(uncle)) {
                    setColor(parentOf(x), BLACK);
                    setColor(uncle, BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    x = parentOf(parentOf(x));
                } else {
                    if (x == leftOf(parentOf(x))) {
                        x = parentOf(x);
                        root = rotateRight(root, x);
                    }
                    setColor(parentOf(x), BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    root = rotateLeft(root, parentOf(parentOf(x)));
                }
            }
        }
        root.color = BLACK;
        return root;
    }

    private static TreeSet delete(TreeSet oldRoot, TreeSet node) {
        TreeSet root = oldRoot;
        TreeSet p = node;
        if (p.left != null && p.right != null) {
            TreeSet next = p.right;
            while (next.left != null) {
                next = next.left;
            }
            p.key = next.key;
            p = next;
        }
        TreeSet replacement = p.left != null ? p.left : p.right;
        if (replacement != null) {
            root = replaceInParent(root, p, replacement);
            p.left = null;
            p.right = null;
            p.parent = null;
            if (!isRed(p)) {
                root = fixAfterDeletion(root, replacement);
            }
        } else if (p.parent == null) {
            root = null;
        } else {
            if (!isRed(p)) {
                root = fixAfterDeletion(root, p);
            }
            if (p.parent != null) {
                if (p == p.parent.left) {
                    p.parent.left = null;
                } else if (p == p.parent.right) {
                    p.parent.right = null;
                }
                p.parent = null;
            }
        }
        return root;
    }

    private static TreeSet fixAfterDeletion(TreeSet oldRoot, TreeSet lacking) {
        TreeSet root = oldRoot;
        TreeSet x = lacking;
        while (x != root && !isRed(x)) {
            if (x == leftOf(parentOf(x))) {
                TreeSet sibling = rightOf(parentOf(x));
                if (isRed(sibling)) {
                    setColor(sibling, BLACK);
                    setColor(parentOf(x), RED);
                    root = rotateLeft(root, parentOf(x));
                    sibling = rightOf(parentOf(x));
                }
                if (!isRed(leftOf(sibling)) && !isRed(rightOf(sibling))) {
                    setColor(sibling, RED);
                    x = parentOf(x);
                } else {
                    if (!isRed(rightOf(sibling))) {
                        setColor(leftOf(sibling), BLACK);
                        setColor(sibling, RED);
                        root = rotateRight(root, sibling);
                        sibling = rightOf(parentOf(x));
                    }
                    setColor(sibling, parentOf(x).color);
                    setColor(parentOf(x), BLACK);
                    setColor(rightOf(sibling), BLACK);
                    root = rotateLeft(root, parentOf(x));
                    x = root;
                }
            } else {
                TreeSet sibling = leftOf(parentOf(x));
                if (isRed(sibling)) {
                    setColor(sibling, BLACK);
                    setColor(parentOf(x), RED);
                    root = rotateRight(root, parentOf(x));
                    sibling = leftOf(parentOf(x));
                }
                if (!isRed(rightOf(sibling)) && !isRed(leftOf(sibling))) {
                    setColor(sibling, RED);
                    x = parentOf(x);
                } else {
                    if (!isRed(leftOf(sibling))) {
                        setColor(rightOf(sibling), BLACK);
                        setColor(sibling, RED);
                        root = rotateLeft(root, sibling);
                        sibling = leftOf(parentOf(x));
                    }
                    setColor(sibling, parentOf(x).color);
                    setColor(parentOf(x), BLACK);
                    setColor(leftOf(sibling), BLACK);
                    root = rotateRight(root, parentOf(x));
                    x = root;
                }
            }
        }
        setColor(x, BLACK);
        return root;
    }

    /**
     * A tree with right parents and colours; the order of the keys is not part of the published invariant. A set of visited
     * nodes is not needed: the parent of a node names the only node that may have it as a child.
     */
    public boolean repOK() {
        return parent == null && color != RED && blacksOf(this, null) >= 0;
    }

    /** The number of black nodes on each path down to a missing child, or -1 if something is wrong below. */
    private static int blacksOf(TreeSet node, TreeSet parent) {
        if (node == null) {
            return 0;
        }
        if (node.parent != parent || (node.color == RED && parent.color == RED)) {
            return -1;
        }
        int left = blacksOf(node.left, node);
        if (left < 0 || (node.right != null && node.right == node.left)) {
            return -1;
        }
        int right = blacksOf(node.right, node);
        if (left != right) {
            return -1;
        }
        return node.color == RED ? left : left + 1;
    }
}
