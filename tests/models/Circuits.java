package models;

import java.util.HashSet;
import java.util.Set;

// Invariants that are written in ways of which a translation into a circuit may get one wrong.

/** Lists of lists: two classes that refer to each other. */
class Shelves {
    static class Shelf {
        Shelf below;
        Box first;
    }

    static class Box {
        Box next;
        Shelf on;
    }

    Shelf top;

    boolean repOK() {
        Set<Shelf> shelves = new HashSet<>();
        Set<Box> boxes = new HashSet<>();
        for (Shelf shelf = top; shelf != null; shelf = shelf.below) {
            if (!shelves.add(shelf)) {
                return false;
            }
            for (Box box = shelf.first; box != null; box = box.next) {
                if (!boxes.add(box) || box.on != shelf) {
                    return false;
                }
            }
        }
        return true;
    }
}

/** A tree in which all leaves are equally deep. The depth of the first one is handed on in an array; a loop looks at it at last. */
class EvenLeaves {
    Node root;
    int depth;

    boolean repOK() {
        if (root == null) {
            return depth == 0;
        }
        int[] first = {-1};
        if (!isTree(root, new HashSet<>()) || !isEven(root, 1, first)) {
            return false;
        }
        int levels = 0;
        for (Node node = root; node != null; node = node.left) {
            levels++;
        }
        return levels == first[0] && levels == depth;
    }

    private static boolean isTree(Node node, Set<Node> visited) {
        return node == null
                || visited.add(node) && isTree(node.left, visited) && isTree(node.right, visited);
    }

    private static boolean isEven(Node node, int depth, int[] first) {
        if ((node.left == null) != (node.right == null)) {
            return false;
        }
        if (node.left != null) {
            return isEven(node.left, depth + 1, first) && isEven(node.right, depth + 1, first);
        }
        if (first[0] < 0) {
            first[0] = depth;
        }
        return first[0] == depth;
    }
}

/** Sums that need 64 bits, kept in an array that the invariant makes. */
class Totals {
    static class Entry {
        int amount;
        long total;
        Entry next;
    }

    Entry first;

    boolean repOK() {
        long[] sums = new long[5];
        int count = 0;
        for (Entry entry = first; entry != null; entry = entry.next) {
            if (++count == sums.length) {
                return false;
            }
            sums[count] = sums[count - 1] + 0x1_0000_0001L * entry.amount;
            if (entry.total != sums[count] >> 32) {
                return false;
            }
        }
        return true;
    }
}

/** Says no in all the ways in which something can be thrown. */
class Throwing {
    Node first;
    int divisor;

    boolean repOK() {
        if (first == null) {
            throw new AssertionError();
        }
        int[] cells = {0, 1, 0};
        if (first.left == first) {
            return cells[first.key] == 1;
        }
        if (first.key % divisor == 1) {
            return first.right.right == first;
        }
        return ((Object) first.left.left) == null;
    }
}

/** A switch, and truth values that are computed. */
class Kinds {
    static class Item {
        byte kind;
        boolean isLast;
        Item next;
    }

    Item first;

    boolean repOK() {
        int left = 3;
        Item item = first;
        while (item != null) {
            if (left-- == 0 || item.isLast != (item.next == null)) {
                return false;
            }
            switch (item.kind) {
                case 0:
                    break;
                case 1:
                    if (item.next == null || item.next.kind != 2) {
                        return false;
                    }
                    break;
                case 2:
                    if (item.isLast ^ (item == first)) {
                        return false;
                    }
                    break;
                default:
                    return false;
            }
            item = item.next;
        }
        return true;
    }
}
