package models;

/** A parameter with an invariant of its own, which may be part of the receiver or stand beside it. */
public class TwoRoots {
    static class Node {
        int key;
        Node next;

        boolean repOK() {
            return next != this && (next == null || next.key > key && next.next == null);
        }
    }

    Node head;

    boolean repOK() {
        return head != null && head.repOK();
    }

    /** How the keys of the head and of the parameter compare. */
    public int compare(Node node) {
        if (head.key == 3 && node == head) {
            return 1;
        }
        if (node != null && node != head && head.key != node.key) {
            return 2;
        }
        if (node != null && node != head && head.key == 3) {
            return 3;
        }
        return 4;
    }
}
