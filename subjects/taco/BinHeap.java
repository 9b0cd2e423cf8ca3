package taco;

import java.util.HashSet;
import java.util.Set;

/** A binomial heap of ints: trees of different degrees in a list by growing degree. */
public class BinHeap {
    static class Node {
        int key;
        int degree;
        Node parent;
        Node sibling;
        Node child;
    }

    Node nodes;
    int size;

    /** The smallest key; the greatest int if there is none. */
    public int min() {
        int smallest = Integer.MAX_VALUE;
        for (Node node = nodes; node != null; node = node.sibling) {
            if (node.key < smallest) {
                smallest = node.key;
            }
        }
        return smallest;
    }

    /** Gives a node of the heap a smaller key. */
    public void decreaseKey(Node node, int key) {
        node.key = key;
        Node at = node;
        while (at.parent != null && at.parent.key > at.key) {
            int kept = at.parent.key;
            at.parent.key = at.key;
            at.key = kept;
            at = at.parent;
        }
    }

    public void insert(int key) {
        Node fresh = new Node();
        fresh.key = key;
        nodes = united(merge(nodes, fresh));
        size++;
    }

    /** Removes the smallest key and returns it; the greatest int if there is none. */
    public int extractMin() {
        if (nodes == null) {
            return Integer.MAX_VALUE;
        }
        Node before = null;
        Node smallest = nodes;
        for (Node node = nodes; node.sibling != null; node = node.sibling) {
            if (node.sibling.key < smallest.key) {
                before = node;
                smallest = node.sibling;
            }
        }
        if (before == null) {
            nodes = smallest.sibling;
        } else {
            before.sibling = smallest.sibling;
        }
        // The children stand by falling degree.
        Node children = null;
        Node child = smallest.child;
        while (child != null) {
            Node next = child.sibling;
            child.parent = null;
            child.sibling = children;
            children = child;
            child = next;
        }
        nodes = united(merge(nodes, children));
        size--;
        return smallest.key;
    }

    /** Puts the nodes of two lists into one by growing degree. */
    Node merge(Node first, Node second) {
        if (first == null || second == null) {
            return first == null ? second : first;
        }
        boolean isFirst = first.degree <= second.degree;
        Node head = isFirst ? first : second;
        Node one = isFirst ? first.sibling : first;
        Node other = isFirst ? second : second.sibling;
        Node last = head;
        while (one != null && other != null) {
            if (one.degree <= other.degree) {
                last.sibling = one;
                one = one.sibling;
            } else {
                last.sibling = other;
                other = other.sibling;
            }
            last = last.sibling;
        }
        last.sibling = one != null ? one : other;
        return head;
    }

    /** Puts trees of the same degree together until no two are left. */
    private static Node united(Node merged) {
        Node head = merged;
        Node before = null;
        Node node = head;
        while (node != null && node.sibling != null) {
            Node next = node.sibling;
            if (node.degree != next.degree || next.sibling != null && next.sibling.degree == node.degree) {
                before = node;
                node = next;
            } else if (node.key <= next.key) {
                node.sibling = next.sibling;
                link(next, node);
            } else {
                if (before == null) {
                    head = next;
                } else {
                    before.sibling = next;
                }
                link(node, next);
                node = next;
            }
        }
        return head;
    }

    private static void link(Node child, Node parent) {
        child.parent = parent;
        child.sibling = parent.child;
        parent.child = child;
        parent.degree++;
    }

    boolean repOK() {
        Set<Node> visited = new HashSet<>();
        return isForest(nodes, null, visited) && visited.size() == size;
    }

    /** Trees whose degrees grow, or, below a parent, fall to zero one by one. */
    private static boolean isForest(Node node, Node parent, Set<Node> visited) {
        if (node == null) {
            return true;
        }
        if (!visited.add(node) || node.parent != parent || parent != null && node.key < parent.key) {
            return false;
        }
        if (node.child == null ? node.degree != 0 : node.degree < 1 || node.child.degree != node.degree - 1) {
            return false;
        }
        Node next = node.sibling;
        if (parent == null ? next != null && next.degree <= node.degree
                : next == null ? node.degree != 0 : next.degree != node.degree - 1) {
            return false;
        }
        return isForest(node.child, node, visited) && isForest(next, parent, visited);
    }

    /** Says of decreaseKey what it takes: a node of the heap, and a key that is not greater than its own. */
    boolean isDecrease(Node node, int key) {
        return node != null && key <= node.key && isAmong(nodes, node);
    }

    private static boolean isAmong(Node list, Node node) {
        for (Node each = list; each != null; each = each.sibling) {
            if (each == node || isAmong(each.child, node)) {
                return true;
            }
        }
        return false;
    }
}
