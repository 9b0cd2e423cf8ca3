package kiasan;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/** A singly linked list of objects behind a head node that carries no data; merge takes the order as an argument. */
public class ComparatorMerge {
    static class Node {
        Object data;
        Node next;
    }

    Node head;

    public ComparatorMerge() {
        head = new Node();
    }

    public void addLast(Object data) {
        Node last = head;
        while (last.next != null) {
            last = last.next;
        }
        last.next = new Node();
        last.next.data = data;
    }

    /** Takes over the data of the other list; both are sorted by the order, and so is the result. */
    public void merge(ComparatorMerge other, Comparator order) {
        Node result = new Node();
        Node last = result;
        Node one = head.next;
        Node two = other.head.next;
        while (one != null || two != null) {
            boolean takeOne = two == null || (one != null && order.compare(one.data, two.data) < 0);
            Node taken = takeOne ? one : two;
            last.next = new Node();
            last = last.next;
            last.data = taken.data;
            if (takeOne) {
                one = one.next;
            } else {
                two = two.next;
            }
        }
        head = result;
    }

    /** The precondition of merge: there is another list with other nodes, there is an order, and both lists are sorted by it. */
    boolean mergeable(ComparatorMerge other, Comparator order) {
        if (other == null || other == this || order == null) {
            return false;
        }
        Set<Node> nodes = new HashSet<>();
        for (Node node = head; node != null; node = node.next) {
            nodes.add(node);
        }
        for (Node node = other.head; node != null; node = node.next) {
            if (nodes.contains(node)) {
                return false;
            }
        }
        return sorted(order) && other.sorted(order);
    }

    /** The postcondition of merge. */
    boolean merged(ComparatorMerge other, Comparator order) {
        return sorted(order);
    }

    private boolean sorted(Comparator order) {
        for (Node node = head.next; node != null && node.next != null; node = node.next) {
            if (order.compare(node.data, node.next.data) > 0) {
                return false;
            }
        }
        return true;
    }

    /** The list ends, and has no null elements. */
    boolean repOK() {
        if (head == null) {
            return false;
        }
        Set<Node> visited = new HashSet<>();
        visited.add(head);
        for (Node node = head.next; node != null; node = node.next) {
            if (!visited.add(node) || node.data == null) {
                return false;
            }
        }
        return true;
    }
}
