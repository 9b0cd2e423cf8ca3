package gse;

import java.util.HashSet;
import java.util.Set;

/** A singly linked list of ints, and methods that put its first two nodes into order. */
public class Node {
    int elem;
    Node next;

    /** Swaps the first two nodes if they are out of order, and returns the first node of the result. */
    public Node swapNode() {
        if (next != null) {
            if (elem - next.elem > 0) {
                Node second = next;
                next = second.next;
                second.next = this;
                return second;
            }
        }
        return this;
    }

    /** The same without the question whether there are two nodes, so it fails on a single one. */
    public Node swapNodeUnchecked() {
        if (elem - next.elem > 0) {
            Node second = next;
            next = second.next;
            second.next = this;
            return second;
        }
        return this;
    }

    /** The precondition that leaves out lists with a cycle. */
    boolean acyclic() {
        Set<Node> visited = new HashSet<>();
        for (Node node = this; node != null; node = node.next) {
            if (!visited.add(node)) {
                return false;
            }
        }
        return true;
    }
}
