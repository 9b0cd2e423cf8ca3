//! check Heaps.endless
//! check Heaps.slow --scope 6
//! check Heaps.slow --scope 40
//! check Heaps.sum --scope 30
//! shapes Heaps --scope 12 --invariant quick
//! shapes Heaps --scope 4
//! shapes Heaps --scope 9 --values --range 0..9 --invariant quick
//! bounds Heaps --scope 25 --invariant quick
//! bounds Heaps --scope 5
//! tests Heaps.sum --scope 12 --invariant quick
//! check Heaps.sum --scope 12 --structure circuit --invariant quick
//! check Heaps.sum --scope 9 --paths --invariant quick
//! check Heaps.wrong --scope 12 --invariant quick
//! check Heaps.sum --scope 5 --technique eager --invariant quick
//! check Heaps.sum --scope 8 --technique driver --build add --invariant quick

import java.util.*;

/** Graphs whose invariant never ends, is slow, or has very many objects. */
public class Heaps {
    Heaps left, right, parent;
    int key;

    /** Never ends. */
    public boolean repOK() {
        int n = 0;
        for (Heaps at = this; at != null || n != -1; n += 2) at = at == null ? this : at.left;
        return n == 0;
    }

    /** A search tree with parents. */
    public boolean quick() {
        return parent == null && ordered(this, Long.MIN_VALUE, Long.MAX_VALUE, new HashSet<>());
    }

    private static boolean ordered(Heaps at, long least, long greatest, Set<Heaps> seen) {
        if (at == null) return true;
        if (!seen.add(at) || at.key <= least || at.key >= greatest) return false;
        if (at.left != null && at.left.parent != at || at.right != null && at.right.parent != at) return false;
        return ordered(at.left, least, at.key, seen) && ordered(at.right, at.key, greatest, seen);
    }

    public int endless(int a) { return left.key / a; }

    public int slow(int a) {
        int n = 0;
        for (Heaps x = this; x != null; x = x.left) for (Heaps y = this; y != null; y = y.right) if (x.key * y.key == a) n++;
        return n;
    }

    public int sum(int a) {
        int n = key;
        if (left != null) n += left.sum(a);
        if (right != null) n += right.sum(a);
        return n;
    }

    public void add(int a) {
        if (a == key) return;
        if (a < key) { if (left == null) { left = new Heaps(); left.key = a; left.parent = this; } else left.add(a); }
        else if (right == null) { right = new Heaps(); right.key = a; right.parent = this; } else right.add(a);
    }

    public int wrong(int a) {
        int n = sum(a);
        if (left != null && left.right != null && right != null) throw new IllegalStateException("n = " + n);
        return n;
    }
}
