// Checks an insertion that makes a new node in the middle of the input.
// target: ListInsertSorted.insert
// scope: 2
// domain: int 0..2
public class ListInsertSorted {
    Node head;

    static class Node {
        int elem;
        Node next;

        Node(int elem, Node next) {
            this.elem = elem;
            this.next = next;
        }
    }

    boolean insert(int key) {
        if (head == null || key < head.elem) {
            head = new Node(key, head);
            return true;
        }
        Node before = head;
        int steps = 0;
        while (before.next != null && before.next.elem < key && steps++ < 2) {
            before = before.next;
        }
        if (before.elem == key) {
            return false;
        }
        before.next = new Node(key, before.next);
        return true;
    }
}
