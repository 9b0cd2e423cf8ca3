package bliss;

import static lazuli.Lazuli.isKnown;

import java.util.Arrays;

/**
 * What BLISS's authors ask of inputs that are known in part: only references that are known count, and no numbers. It is asked after every step,
 * so that it had better be quick.
 */
class Hybrid {
    private Hybrid() {}

    /** Objects in the order in which they were met; so few that looking through them is quicker than hashing. */
    private static final class Met {
        Object[] objects = new Object[16];
        int count;

        /** Notes an object; false if it was met before. */
        boolean add(Object object) {
            Object[] known = objects;
            int last = count;
            for (int i = 0; i < last; i++) {
                if (known[i] == object) {
                    return false;
                }
            }
            if (last == known.length) {
                known = objects = Arrays.copyOf(known, 2 * last);
            }
            known[last] = object;
            count = last + 1;
            return true;
        }
    }

    static boolean binTree(BinTree root) {
        Met met = new Met();
        met.add(root);
        for (int i = 0; i < met.count; i++) {
            BinTree node = (BinTree) met.objects[i];
            if (isKnown(node, "left") && node.left != null && !met.add(node.left)) {
                return false;
            }
            if (isKnown(node, "right") && node.right != null && !met.add(node.right)) {
                return false;
            }
        }
        return true;
    }

    static boolean avlTree(AvlTree root) {
        Met met = new Met();
        met.add(root);
        for (int i = 0; i < met.count; i++) {
            AvlTree node = (AvlTree) met.objects[i];
            if (isKnown(node, "left") && node.left != null && !met.add(node.left)) {
                return false;
            }
            if (isKnown(node, "right") && node.right != null && !met.add(node.right)) {
                return false;
            }
        }
        return true;
    }

    static boolean treeSet(TreeSet root) {
        if (isKnown(root, "parent") && root.parent != null) {
            return false;
        }
        Met met = new Met();
        met.add(root);
        for (int i = 0; i < met.count; i++) {
            TreeSet node = (TreeSet) met.objects[i];
            if (isKnown(node, "left") && !isChild(node.left, node, met)) {
                return false;
            }
            if (isKnown(node, "right") && !isChild(node.right, node, met)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isChild(TreeSet child, TreeSet node, Met met) {
        return child == null || (met.add(child) && (!isKnown(child, "parent") || child.parent == node));
    }

    static boolean treeMap(TreeMap map) {
        if (!isKnown(map, "root") || map.root == null) {
            return true;
        }
        if (isKnown(map.root, "parent") && map.root.parent != null) {
            return false;
        }
        Met met = new Met();
        met.add(map.root);
        for (int i = 0; i < met.count; i++) {
            TreeMap.Entry entry = (TreeMap.Entry) met.objects[i];
            if (isKnown(entry, "left") && !isChild(entry.left, entry, met)) {
                return false;
            }
            if (isKnown(entry, "right") && !isChild(entry.right, entry, met)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isChild(TreeMap.Entry child, TreeMap.Entry entry, Met met) {
        return child == null || (met.add(child) && (!isKnown(child, "parent") || child.parent == entry));
    }

    /** A size that is not known. */
    private static final int UNKNOWN = -1;

    /** What sizeOf answers for something that is not a binomial tree. */
    private static final int WRONG = -2;

    static boolean binomialHeap(BinomialHeap heap) {
        Met met = new Met();
        if (!isKnown(heap, "Nodes")) {
            return true;
        }
        BinomialHeap.Node root = heap.Nodes;
        while (root != null) {
            if (isKnown(root, "parent") && root.parent != null) {
                return false;
            }
            if (sizeOf(root, met) == WRONG) {
                return false;
            }
            if (!isKnown(root, "sibling")) {
                break;
            }
            root = root.sibling;
        }
        return true;
    }

    /** The first child's tree has one node more than all its siblings' trees together, where both are known. */
    private static int sizeOf(BinomialHeap.Node node, Met met) {
        if (!met.add(node)) {
            return WRONG;
        }
        if (!isKnown(node, "child")) {
            return UNKNOWN;
        }
        int first = 0;
        int others = 0;
        boolean isFirst = true;
        boolean isAllKnown = true;
        BinomialHeap.Node child = node.child;
        while (child != null) {
            if (isKnown(child, "parent") && child.parent != node) {
                return WRONG;
            }
            int below = sizeOf(child, met);
            if (below == WRONG) {
                return WRONG;
            }
            if (below == UNKNOWN) {
                isAllKnown = false;
            } else if (isFirst) {
                first = below;
            } else {
                others += below;
            }
            isFirst = false;
            if (!isKnown(child, "sibling")) {
                isAllKnown = false;
                break;
            }
            child = child.sibling;
        }
        if (!isAllKnown) {
            return UNKNOWN;
        }
        if (!isFirst && first != 1 + others) {
            return WRONG;
        }
        return 1 + first + others;
    }

    /** Follows the list forwards, as far as both links between two nodes are known. */
    static boolean linkedList(LinkedList list) {
        if (!isKnown(list, "header")) {
            return true;
        }
        if (list.header == null) {
            return false;
        }
        LinkedList.Node node = list.header;
        while (isKnown(node, "next")) {
            LinkedList.Node next = node.next;
            if (next == null) {
                return false;
            }
            if (!isKnown(next, "previous")) {
                return true;
            }
            // The back link names one predecessor, so no node is reached twice before the header is.
            if (next.previous != node) {
                return false;
            }
            if (next == list.header) {
                return true;
            }
            node = next;
        }
        return true;
    }
}
