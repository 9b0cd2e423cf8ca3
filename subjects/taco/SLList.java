package taco;

import java.util.HashSet;
import java.util.Set;

/** A singly linked list of objects, which are told apart by identity. */
public class SLList {
    static class Node {
        Node next;
        Object value;
    }

    Node head;

    public boolean contains(Object value) {
        for (Node node = head; node != null; node = node.next) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }

    /** Adds a value at the end. */
    public void insert(Object value) {
        Node fresh = new Node();
        fresh.value = value;
        if (head == null) {
            head = fresh;
            return;
        }
        Node last = head;
        while (last.next != null) {
            last = last.next;
        }
        last.next = fresh;
    }

    /** Removes the node at a position, and returns its value; null if there is none. */
    public Object remove(int index) {
        Node before = null;
        Node node = head;
        for (int at = 0; node != null && at < index; at++) {
            before = node;
            node = node.next;
        }
        if (node == null || index < 0) {
            return null;
        }
        if (before == null) {
            head = node.next;
        } else {
            before.next = node.next;
        }
        return node.value;
    }

    boolean repOK() {
        Set<Node> visited = new HashSet<>();
        for (Node node = head; node != null; node = node.next) {
            if (!visited.add(node)) {
                return false;
            }
        }
        return true;
    }
}
