package pli;

/** The binomial heap with the published defect in merge: the first heap that loses nodes has 13 of them. */
public class BinomialHeapDefect {
    static class Node {
        int key;
        int degree;
        Node parent;
        Node sibling;
        Node child;
    }

    Node Nodes;
    int size;

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
        // The node takes the smallest key and rises to the top; a key below the smallest might not exist.
        int smallest = findMinimum();
        while (node.parent != null) {
            node.key = node.parent.key;
            node = node.parent;
        }
        node.key = smallest;
        removeRoot(node);
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

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /**
     * Binomial trees of growing degree, with right parents, degrees and size: as a tree of degree d has 2^d nodes, the
     * degrees are the binary digits of the size. A set of visited nodes is not needed: a node's parent and degree
     * name the only place where it may be.
     */
    boolean repOKHeap() {
        int total = 0;
        int last = -1;
        for (Node root = Nodes; root != null; root = root.sibling) {
            int degree = degreeOf(root, null);
            if (degree <= last) {
                return false;
            }
            last = degree;
            total += 1 << degree;
        }
        return size == total;
    }

    /**
     * The degree of the tree at this node, or -1 if it is not a binomial tree. The chain of first children says what the
     * degree is; all else in the tree follows from it.
     */
    private static int degreeOf(Node node, Node parent) {
        if (node.parent != parent) {
            return -1;
        }
        int degree = 0;
        if (node.child != null) {
            int first = degreeOf(node.child, node);
            if (first < 0 || !areTrees(node.child.sibling, node, first - 1)) {
                return -1;
            }
            degree = first + 1;
        }
        return node.degree == degree ? degree : -1;
    }

    /** The siblings from this node on are binomial trees of this degree and of all lower ones, falling. */
    private static boolean areTrees(Node first, Node parent, int highest) {
        Node node = first;
        for (int degree = highest; degree >= 0; degree--) {
            if (node == null || node.parent != parent || node.degree != degree
                    || !areTrees(node.child, node, degree - 1)) {
                return false;
            }
            node = node.sibling;
        }
        return node == null;
    }

    /** No node has a smaller key than its parent. */
    boolean repOKData() {
        for (Node root = Nodes; root != null; root = root.sibling) {
            if (!ordered(root)) {
                return false;
            }
        }
        return true;
    }

    private static boolean ordered(Node node) {
        for (Node child = node.child; child != null; child = child.sibling) {
            if (child.key < node.key || !ordered(child)) {
                return false;
            }
        }
        return true;
    }
}
