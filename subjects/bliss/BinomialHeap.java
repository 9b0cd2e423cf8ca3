package bliss;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A binomial heap of ints, with the traversals that BLISS measures; extractMin has the published defect in merge. */
public class BinomialHeap {
    static class Node {
        int key;
        int degree;
        Node parent;
        Node sibling;
        Node child;
    }

    Node Nodes;
    int size;

    /** Visits breadth-first whatever can be reached, and returns how many nodes that are. */
    public int bfs() {
        Set<Node> visited = new HashSet<>();
        List<Node> pending = new ArrayList<>();
        meet(Nodes, visited, pending);
        for (int i = 0; i < pending.size(); i++) {
            Node node = pending.get(i);
            meet(node.sibling, visited, pending);
            meet(node.child, visited, pending);
            meet(node.parent, visited, pending);
        }
        return visited.size();
    }

    private static void meet(Node node, Set<Node> visited, List<Node> pending) {
        if (node != null && visited.add(node)) {
            pending.add(node);
        }
    }

    /** Visits depth-first whatever can be reached, and returns how many nodes that are. */
    public int dfs() {
        Set<Node> visited = new HashSet<>();
        visit(Nodes, visited);
        return visited.size();
    }

    private static void visit(Node node, Set<Node> visited) {
        if (node != null && visited.add(node)) {
            visit(node.sibling, visited);
            visit(node.child, visited);
            visit(node.parent, visited);
        }
    }

    public void insert(int key) {
        Node fresh = new Node();
        fresh.key = key;
        if (Nodes == null) {
            Nodes = fresh;
        } else {
            union(fresh);
        }
        size++;
    }

    /** The smallest key, or -1 if there is none. */
    public int findMinimum() {
        if (Nodes == null) {
            return -1;
        }
        int smallest = Nodes.key;
        for (Node root = Nodes.sibling; root != null; root = root.sibling) {
            if (root.key < smallest) {
                smallest = root.key;
            }
        }
        return smallest;
    }

    /** Removes the smallest key and returns it, or returns -1 if there is none. */
    public int extractMin() {
        if (Nodes == null) {
            return -1;
        }
        Node smallest = Nodes;
        for (Node root = Nodes.sibling; root != null; root = root.sibling) {
            if (root.key < smallest.key) {
                smallest = root;
            }
        }
        int key = smallest.key;
        removeRoot(smallest);
        return key;
    }

    /** Removes one node with this key, if there is one. */
    public void delete(int key) {
        if (Nodes == null) {
            return;
        }
        Node node = find(Nodes, key);
        if (node == null) {
            return;
        }
        // The node rises as if its key were below the smallest; a key like that might not exist.
        int smallest = findMinimum();
        while (node.parent != null && smallest <= node.parent.key) {
            node.key = node.parent.key;
            node = node.parent;
        }
        if (node.parent != null) {
            // It only gets stuck in a heap that is not in order, which techniques that do not look at keys meet nevertheless.
            node.key = smallest - 1;
            extractMin();
            return;
        }
        node.key = smallest;
        removeRoot(node);
    }

    /**
     * Removes a node as the published counts say that BLISS's authors did: on its way up the node is compared by the key that
     * has come down to its first place. From the third level on it stops too early, and the smallest key is removed instead.
     */
    void deleteAsPublished(int key) {
        if (Nodes == null) {
            return;
        }
        Node node = find(Nodes, key);
        if (node == null) {
            return;
        }
        int smallest = findMinimum();
        if (smallest == Integer.MIN_VALUE) {
            throw new ArithmeticException("no key is smaller");
        }
        node.key = smallest - 1;
        for (Node at = node; at.parent != null && node.key < at.parent.key; at = at.parent) {
            int higher = at.parent.key;
            at.parent.key = at.key;
            at.key = higher;
        }
        extractMin();
    }

    /** Looks at a node, then below it, then at its siblings. */
    private static Node find(Node first, int key) {
        for (Node node = first; node != null; node = node.sibling) {
            if (node.key == key) {
                return node;
            }
            if (node.child != null) {
                Node found = find(node.child, key);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    // Traces are sequences of calls, each of which is chosen by a number.

    public void trace_L1(int call1, int key1, int lower1) {
        call(call1, key1, lower1);
    }

    public void trace_L2(int call1, int key1, int lower1, int call2, int key2, int lower2) {
        call(call1, key1, lower1);
        call(call2, key2, lower2);
    }

    public void trace_L3(
            int call1, int key1, int lower1,
            int call2, int key2, int lower2,
            int call3, int key3, int lower3) {
        call(call1, key1, lower1);
        call(call2, key2, lower2);
        call(call3, key3, lower3);
    }

    private void call(int call, int key, int lower) {
        if (call == 1) {
            insert(key);
        } else if (call == 2) {
            findMinimum();
        } else if (call == 3) {
            extractMin();
        } else if (call == 4) {
            delete(key);
        } else {
            decreaseKey(key, lower);
        }
    }

    /** Lowers the key of one node; nothing happens if no node has the old key, or if the new one is not lower. */
    public void decreaseKey(int old, int key) {
        if (Nodes == null) {
            return;
        }
        Node node = find(Nodes, old);
        if (node == null || key >= old) {
            return;
        }
        node.key = key;
        while (node.parent != null && node.key < node.parent.key) {
            int higher = node.parent.key;
            node.parent.key = node.key;
            node.key = higher;
            node = node.parent;
        }
    }

    private void removeRoot(Node root) {
        if (root == Nodes) {
            Nodes = root.sibling;
        } else {
            Node previous = Nodes;
            while (previous.sibling != root) {
                previous = previous.sibling;
            }
            previous.sibling = root.sibling;
        }
        // The children are in the order of falling degree, so they are turned around to become a list of roots.
        Node children = null;
        Node child = root.child;
        while (child != null) {
            Node next = child.sibling;
            child.parent = null;
            child.sibling = children;
            children = child;
            child = next;
        }
        if (Nodes == null) {
            Nodes = children;
        } else if (children != null) {
            union(children);
        }
        size--;
    }

    /** Adds a list of roots to the heap, which is not empty, and links trees until all degrees differ. */
    private void union(Node others) {
        merge(others);
        Node previous = null;
        Node root = Nodes;
        Node next = root.sibling;
        while (next != null) {
            if (root.degree != next.degree || (next.sibling != null && next.sibling.degree == root.degree)) {
                previous = root;
                root = next;
            } else if (root.key <= next.key) {
                root.sibling = next.sibling;
                link(next, root);
            } else {
                if (previous == null) {
                    Nodes = next;
                } else {
                    previous.sibling = next;
                }
                link(root, next);
                root = next;
            }
            next = root.sibling;
        }
    }

    private static void link(Node child, Node parent) {
        child.parent = parent;
        child.sibling = parent.child;
        parent.child = child;
        parent.degree++;
    }

    /**
     * Merges a list of roots into that of the heap, by growing degree. The defect: a root that is put in front of the
     * current one is not linked to the current one's predecessor, so the predecessor skips it.
     */
    private void merge(Node others) {
        Node at = Nodes;
        Node head = others;
        while (at != null && head != null) {
            Node rest = head.sibling;
            if (at.degree == head.degree) {
                head.sibling = at.sibling;
                at.sibling = head;
                at = head.sibling;
                head = rest;
            } else if (at.degree < head.degree) {
                if (at.sibling == null || at.sibling.degree > head.degree) {
                    head.sibling = at.sibling;
                    at.sibling = head;
                    at = head.sibling;
                    head = rest;
                } else {
                    at = at.sibling;
                }
            } else {
                head.sibling = at;
                if (at == Nodes) {
                    Nodes = head;
                }
                at = head;
                head = rest;
            }
        }
        if (at == null) {
            at = Nodes;
            while (at.sibling != null) {
                at = at.sibling;
            }
            at.sibling = head;
        }
    }

    /**
     * The roots have growing degrees and no parents, each of them is a binomial tree in heap order, and the size is right.
     */
    public boolean repOK() {
        Set<Node> visited = new HashSet<>();
        Node last = null;
        for (Node root = Nodes; root != null; root = root.sibling) {
            if (root.parent != null || sizeOf(root, visited) < 0) {
                return false;
            }
            if (last != null && last.degree >= root.degree) {
                return false;
            }
            last = root;
        }
        return size == visited.size();
    }

    /**
     * The number of nodes of a binomial tree, or -1 if it is none. The first child's tree has one node more than all its
     * siblings' trees together, because each sibling's tree has half as many as the one before it.
     */
    private static int sizeOf(Node node, Set<Node> visited) {
        if (!visited.add(node)) {
            return -1;
        }
        int children = 0;
        int first = 0;
        int others = 0;
        Node last = null;
        for (Node child = node.child; child != null; child = child.sibling) {
            if (child.parent != node || child.key < node.key) {
                return -1;
            }
            int below = sizeOf(child, visited);
            if (below < 0 || (last != null && last.degree <= child.degree)) {
                return -1;
            }
            if (last == null) {
                first = below;
            } else {
                others += below;
                if (others >= first) {
                    return -1;
                }
            }
            last = child;
            children++;
        }
        if (node.degree != children || (children > 0 && first != 1 + others)) {
            return -1;
        }
        return 1 + first + others;
    }
}
