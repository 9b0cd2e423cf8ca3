package bliss;

import java.util.NoSuchElementException;

/** A circular doubly linked list of ints whose header node carries no value. */
public class LinkedList {
    static class Node {
        Node next;
        Node previous;
        int value;
    }

    Node header;
    int size;

    public LinkedList() {
        header = new Node();
        header.next = header;
        header.previous = header;
    }

    public boolean add(int value) {
        Node fresh = new Node();
        fresh.value = value;
        fresh.next = header;
        fresh.previous = header.previous;
        fresh.previous.next = fresh;
        fresh.next.previous = fresh;
        size++;
        return true;
    }

    public boolean contains(int value) {
        for (Node node = header.next; node != header; node = node.next) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }

    /** Removes the value at a position, and returns it. */
    public int remove(int index) throws IndexOutOfBoundsException, NoSuchElementException {
        Node node = node(index);
        if (node == header) {
            throw new NoSuchElementException();
        }
        node.previous.next = node.next;
        node.next.previous = node.previous;
        size--;
        return node.value;
    }

    /** Walks to a position from the nearer end. */
    private Node node(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException();
        }
        Node node = header;
        if (index < (size >> 1)) {
            for (int i = 0; i <= index; i++) {
                node = node.next;
            }
        } else {
            for (int i = size; i > index; i--) {
                node = node.previous;
            }
        }
        return node;
    }

    /** One cycle of consistent links through the header, and the right size. */
    public boolean repOK() {
        if (header == null) {
            return false;
        }
        int count = -1;
        Node node = header;
        do {
            Node next = node.next;
            // The back link names one predecessor, so no node is reached twice before the header is.
            if (next == null || next.previous != node) {
                return false;
            }
            node = next;
            count++;
        } while (node != header);
        return size == count;
    }
}
