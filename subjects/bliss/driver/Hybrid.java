package bliss;

import static lazuli.Lazuli.isKnown;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What BLISS's authors ask of inputs that are known in part: only references that are known count, and no numbers. */
class Hybrid {
    private Hybrid() {}

    static boolean binTree(BinTree root) {
        Set<BinTree> visited = new HashSet<>();
        List<BinTree> pending = new ArrayList<>();
        visited.add(root);
        pending.add(root);
        while (!pending.isEmpty()) {
            BinTree node = pending.remove(pending.size() - 1);
            if (isKnown(node, "left") && node.left != null) {
                if (!visited.add(node.left)) {
                    return false;
                }
                pending.add(node.left);
            }
            if (isKnown(node, "right") && node.right != null) {
                if (!visited.add(node.right)) {
                    return false;
                }
                pending.add(node.right);
            }
        }
        return true;
    }

    static boolean avlTree(AvlTree root) {
        Set<AvlTree> visited = new HashSet<>();
        List<AvlTree> pending = new ArrayList<>();
        visited.add(root);
        pending.add(root);
        while (!pending.isEmpty()) {
            AvlTree node = pending.remove(pending.size() - 1);
            if (isKnown(node, "left") && node.left != null) {
                if (!visited.add(node.left)) {
                    return false;
                }
                pending.add(node.left);
            }
            if (isKnown(node, "right") && node.right != null) {
                if (!visited.add(node.right)) {
                    return false;
                }
                pending.add(node.right);
            }
        }
        return true;
    }

    static boolean treeSet(TreeSet root) {
        if (isKnown(root, "parent") && root.parent != null) {
            return false;
        }
        Set<TreeSet> visited = new HashSet<>();
        List<TreeSet> pending = new ArrayList<>();
        visited.add(root);
        pending.add(root);
        while (!pending.isEmpty()) {
            TreeSet node = pending.remove(pending.size() - 1);
            if (isKnown(node, "left") && !meet(node.left, node, visited, pending)) {
                return false;
            }
            if (isKnown(node, "right") && !meet(node.right, node, visited, pending)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meet(TreeSet child, TreeSet node, Set<TreeSet> visited, List<TreeSet> pending) {
        if (child == null) {
            return true;
        }
        if (!visited.add(child) || (isKnown(child, "parent") && child.parent != node)) {
            return false;
        }
        pending.add(child);
        return true;
    }

    static boolean treeMap(TreeMap map) {
        if (!isKnown(map, "root") || map.root == null) {
            return true;
        }
        if (isKnown(map.root, "parent") && map.root.parent != null) {
            return false;
        }
        Set<TreeMap.Entry> visited = new HashSet<>();
        List<TreeMap.Entry> pending = new ArrayList<>();
        visited.add(map.root);
        pending.add(map.root);
        while (!pending.isEmpty()) {
            TreeMap.Entry entry = pending.remove(pending.size() - 1);
            if (isKnown(entry, "left") && !meet(entry.left, entry, visited, pending)) {
                return false;
            }
            if (isKnown(entry, "right") && !meet(entry.right, entry, visited, pending)) {
                return false;
            }
        }
        return true;
    }

    private static boolean meet(
            TreeMap.Entry child, TreeMap.Entry entry, Set<TreeMap.Entry> visited, List<TreeMap.Entry> pending) {
        if (child == null) {
            return true;
        }
        if (!visited.add(child) || (isKnown(child, "parent") && child.parent != entry)) {
            return false;
        }
        pending.add(child);
        return true;
    }

    /** A size that is not known. */
    private static final int UNKNOWN = -1;

    /** What sizeOf answers for something that is not a binomial tree. */
    private static final int WRONG = -2;

    static boolean binomialHeap(BinomialHeap heap) {
        Set<BinomialHeap.Node> visited = new HashSet<>();
        if (!isKnown(heap, "Nodes")) {
            return true;
        }
        BinomialHeap.Node root = heap.Nodes;
        while (root != null) {
            if (isKnown(root, "parent") && root.parent != null) {
                return false;
            }
            if (sizeOf(root, visited) == WRONG) {
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
    private static int sizeOf(BinomialHeap.Node node, Set<BinomialHeap.Node> visited) {
        if (!visited.add(node)) {
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
            int below = sizeOf(child, visited);
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
