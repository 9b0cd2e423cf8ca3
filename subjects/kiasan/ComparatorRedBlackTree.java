package kiasan;

import java.util.Comparator;

/** A red-black tree from keys to values whose remove returns the old value, in the manner of java.util; a comparator orders the keys. */
public class ComparatorRedBlackTree {
    static final boolean RED = false;
    static final boolean BLACK = true;

    static class Entry {
        Object key;
        Object value;
        Entry left;
        Entry right;
        Entry parent;
        boolean color = BLACK;

        Entry(Object key, Object value, Entry parent) {
            this.key = key;
            this.value = value;
            this.parent = parent;
        }
    }

    Comparator order;
    Entry root;
    int size;

    public ComparatorRedBlackTree(Comparator order) {
        this.order = order;
    }

    public void put(Object key, Object value) {
        Entry at = root;
        if (at == null) {
            root = new Entry(key, value, null);
            size++;
            return;
        }
        while (true) {
            int found = order.compare(key, at.key);
            if (found == 0) {
                at.value = value;
                return;
            }
            Entry next = found < 0 ? at.left : at.right;
            if (next == null) {
                break;
            }
            at = next;
        }
        Entry fresh = new Entry(key, value, at);
        if (order.compare(key, at.key) < 0) {
            at.left = fresh;
        } else {
            at.right = fresh;
        }
        size++;
        fixAfterInsertion(fresh);
    }

    /** The precondition of remove. */
    boolean given(Object key) {
        return key != null;
    }

    /** Removes the entry with this key and returns its value, or null if there is none. */
    public Object remove(Object key) {
        Entry entry = find(key);
        if (entry == null) {
            return null;
        }
        Object value = entry.value;
        delete(entry);
        return value;
    }

    private Entry find(Object key) {
        Entry at = root;
        while (at != null) {
            int found = order.compare(key, at.key);
            if (found == 0) {
                break;
            }
            at = found < 0 ? at.left : at.right;
        }
        return at;
    }

    private static Entry successor(Entry entry) {
        if (entry.right != null) {
            Entry next = entry.right;
            while (next.left != null) {
                next = next.left;
            }
            return next;
        }
        Entry child = entry;
        Entry next = entry.parent;
        while (next != null && child == next.right) {
            child = next;
            next = next.parent;
        }
        return next;
    }

    // Missing entries count as black and have no relatives, which saves the fix-ups from asking for null.

    private static boolean colorOf(Entry entry) {
        return entry == null ? BLACK : entry.color;
    }

    private static Entry parentOf(Entry entry) {
        return entry == null ? null : entry.parent;
    }

    private static Entry leftOf(Entry entry) {
        return entry == null ? null : entry.left;
    }

    private static Entry rightOf(Entry entry) {
        return entry == null ? null : entry.right;
    }

    private static void setColor(Entry entry, boolean color) {
        if (entry != null) {
            entry.color = color;
        }
    }

    private void rotateLeft(Entry top) {
        if (top == null) {
            return;
        }
        Entry riser = top.right;
        top.right = riser.left;
        if (riser.left != null) {
            riser.left.parent = top;
        }
        replaceInParent(top, riser);
        riser.left = top;
        top.parent = riser;
    }

    private void rotateRight(Entry top) {
        if (top == null) {
            return;
        }
        Entry riser = top.left;
        top.left = riser.right;
        if (riser.right != null) {
            riser.right.parent = top;
        }
        replaceInParent(top, riser);
        riser.right = top;
        top.parent = riser;
    }

    /** Hangs the second entry where the first one hung. */
    private void replaceInParent(Entry old, Entry replacement) {
        replacement.parent = old.parent;
        if (old.parent == null) {
            root = replacement;
        } else if (old == old.parent.left) {
            old.parent.left = replacement;
        } else {
            old.parent.right = replacement;
        }
    }

    private void fixAfterInsertion(Entry fresh) {
        fresh.color = RED;
        Entry x = fresh;
        while (x != null && x != root && x.parent.color == RED) {
            if (parentOf(x) == leftOf(parentOf(parentOf(x)))) {
                Entry uncle = rightOf(parentOf(parentOf(x)));
                if (colorOf(uncle) == RED) {
                    setColor(parentOf(x), BLACK);
                    setColor(uncle, BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    x = parentOf(parentOf(x));
                } else {
                    if (x == rightOf(parentOf(x))) {
                        x = parentOf(x);
                        rotateLeft(x);
                    }
                    setColor(parentOf(x), BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    rotateRight(parentOf(parentOf(x)));
                }
            } else {
                Entry uncle = leftOf(parentOf(parentOf(x)));
                if (colorOf(uncle) == RED) {
                    setColor(parentOf(x), BLACK);
                    setColor(uncle, BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    x = parentOf(parentOf(x));
                } else {
                    if (x == leftOf(parentOf(x))) {
                        x = parentOf(x);
                        rotateRight(x);
                    }
                    setColor(parentOf(x), BLACK);
                    setColor(parentOf(parentOf(x)), RED);
                    rotateLeft(parentOf(parentOf(x)));
                }
            }
        }
        root.color = BLACK;
    }

    private void delete(Entry entry) {
        size--;
        Entry p = entry;
        if (p.left != null && p.right != null) {
            // The successor has no left child, so it can be spliced out once its contents have moved here.
            Entry next = successor(p);
            p.key = next.key;
            p.value = next.value;
            p = next;
        }
        Entry replacement = p.left != null ? p.left : p.right;
        if (replacement != null) {
            replaceInParent(p, replacement);
            p.left = null;
            p.right = null;
            p.parent = null;
            if (p.color == BLACK) {
                fixAfterDeletion(replacement);
            }
        } else if (p.parent == null) {
            root = null;
        } else {
            // The entry itself stands for the missing black while the colours are repaired.
            if (p.color == BLACK) {
                fixAfterDeletion(p);
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
    }

    private void fixAfterDeletion(Entry lacking) {
        Entry x = lacking;
        while (x != root && colorOf(x) == BLACK) {
            if (x == leftOf(parentOf(x))) {
                Entry sibling = rightOf(parentOf(x));
                if (colorOf(sibling) == RED) {
                    setColor(sibling, BLACK);
                    setColor(parentOf(x), RED);
                    rotateLeft(parentOf(x));
                    sibling = rightOf(parentOf(x));
                }
                if (colorOf(leftOf(sibling)) == BLACK && colorOf(rightOf(sibling)) == BLACK) {
                    setColor(sibling, RED);
                    x = parentOf(x);
                } else {
                    if (colorOf(rightOf(sibling)) == BLACK) {
                        setColor(leftOf(sibling), BLACK);
                        setColor(sibling, RED);
                        rotateRight(sibling);
                        sibling = rightOf(parentOf(x));
                    }
                    setColor(sibling, colorOf(parentOf(x)));
                    setColor(parentOf(x), BLACK);
                    setColor(rightOf(sibling), BLACK);
                    rotateLeft(parentOf(x));
                    x = root;
                }
            } else {
                Entry sibling = leftOf(parentOf(x));
                if (colorOf(sibling) == RED) {
                    setColor(sibling, BLACK);
                    setColor(parentOf(x), RED);
                    rotateRight(parentOf(x));
                    sibling = leftOf(parentOf(x));
                }
                if (colorOf(rightOf(sibling)) == BLACK && colorOf(leftOf(sibling)) == BLACK) {
                    setColor(sibling, RED);
                    x = parentOf(x);
                } else {
                    if (colorOf(leftOf(sibling)) == BLACK) {
                        setColor(rightOf(sibling), BLACK);
                        setColor(sibling, RED);
                        rotateLeft(sibling);
                        sibling = leftOf(parentOf(x));
                    }
                    setColor(sibling, colorOf(parentOf(x)));
                    setColor(parentOf(x), BLACK);
                    setColor(leftOf(sibling), BLACK);
                    rotateRight(parentOf(x));
                    x = root;
                }
            }
        }
        setColor(x, BLACK);
    }

    /**
     * A search tree with right parents, the right size and the right colours. A set of visited entries is not needed: the
     * parent of an entry names the only entry that may have it as a child, and the two children differ.
     */
    boolean repOK() {
        if (order == null) {
            return false;
        }
        if (root == null) {
            return size == 0;
        }
        if (root.parent != null || root.color == RED) {
            return false;
        }
        int total = count(root, 1, new int[] {-1});
        return total > 0 && size == total && sorted();
    }

    /**
     * The number of entries below and including this one, or -1 if something is wrong there. All paths down to
     * a missing child have as many black entries as the first one that was walked, so a wrong tree fails at
     * its first wrong leaf.
     */
    private static int count(Entry entry, int blacks, int[] expected) {
        if (entry.key == null) {
            return -1;
        }
        int total = 1;
        Entry left = entry.left;
        if (left == null) {
            if (!endsAsExpected(blacks, expected)) {
                return -1;
            }
        } else {
            int below = countChild(left, entry, blacks, expected);
            if (below < 0) {
                return -1;
            }
            total += below;
        }
        Entry right = entry.right;
        if (right == null) {
            if (!endsAsExpected(blacks, expected)) {
                return -1;
            }
        } else {
            if (right == left) {
                return -1;
            }
            int below = countChild(right, entry, blacks, expected);
            if (below < 0) {
                return -1;
            }
            total += below;
        }
        return total;
    }

    private static int countChild(Entry child, Entry parent, int blacks, int[] expected) {
        if (child.parent != parent) {
            return -1;
        }
        if (child.color == RED) {
            return parent.color == RED ? -1 : count(child, blacks, expected);
        }
        return count(child, blacks + 1, expected);
    }

    private static boolean endsAsExpected(int blacks, int[] expected) {
        if (expected[0] < 0) {
            expected[0] = blacks;
        }
        return expected[0] == blacks;
    }

    /** The keys grow strictly from left to right. */
    private boolean sorted() {
        Entry entry = root;
        while (entry.left != null) {
            entry = entry.left;
        }
        for (Entry next = successor(entry); next != null; next = successor(next)) {
            if (order.compare(entry.key, next.key) >= 0) {
                return false;
            }
            entry = next;
        }
        return true;
    }
}
