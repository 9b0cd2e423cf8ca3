package kiasan;

import java.util.HashSet;
import java.util.Set;

/** A sorted, singly linked list of ints behind a head node that carries no data. */
public class MergeList {
    static class Node {
        int data;
        Node next;
    }

    Node head;

    public MergeList() {
        head = new Node();
    }

    public void addLast(int data) {
        Node last = head;
        while (last.next != null) {
            last = last.next;
        }
        last.next = new Node();
        last.next.data = data;
    }

    /** Takes over the data of the other list; both are sorted, and so is the result. */
    public void merge(MergeList other) {
        Node result = new Node();
        Node last = result;
        Node one = head.next;
        Node two = other.head.next;
        while (one != null || two != null) {
            boolean takeOne = two == null || (one != null && one.data < two.data);
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

    /** The precondition of merge: there is another list, and the two have no node in common. */
    boolean apart(MergeList other) {
        if (other == null || other == this) {
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
        return true;
    }

    boolean repOK() {
        if (head == null) {
            return false;
        }
        Set<Node> visited = new HashSet<>();
        visited.add(head);
        Node last = null;
        for (Node node = head.next; node != null; node = node.next) {
            if (!visited.add(node) || (last != null && last.data > node.data)) {
                return false;
            }
            last = node;
        }
        return true;
    }
}
