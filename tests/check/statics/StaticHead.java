// Checks a list that a static field holds.
// target: StaticHead.pop
// scope: 2
// statics: head
// domain: int 0..1
public class StaticHead {
    static Node head;

    static class Node {
        int elem;
        Node next;
    }

    static int pop(Node expected) {
        Node first = head;
        if (first != expected) {
            return -1;
        }
        head = first.next;
        return first.elem;
    }
}
