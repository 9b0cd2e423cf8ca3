// Checks \reach over one field and over two, with has and int_size, on lists that may be cyclic.
//! check --scope 3: size, push, drop, tree
public class Reach {
    private /*@ nullable @*/ Node head;
    private int size;

    static class Node {
        Node next;
        Node other;
        int value;
    }

    //@ invariant \reach(head, Node, next).int_size() == size; // broken by drop
    //@ invariant (\forall Node n; \reach(head, Node, next).has(n); !\reach(n.next, Node, next).has(n));

    //@ ensures \result == \reach(head, Node, next).int_size();
    //@ ensures \result == 0 <==> \reach(head, Node, next).isEmpty();
    public int size() {
        return size;
    }

    //@ requires size < 3;
    //@ ensures \reach(head, Node, next).has(\old(head)) || \old(head) == null;
    //@ ensures (\forall Node n; \old(\reach(head, Node, next)).has(n); \reach(head, Node, next).has(n));
    //@ ensures head.value == value && \fresh(head);
    public void push(int value) {
        Node node = new Node();
        node.value = value;
        node.next = head;
        head = node;
        size++;
    }

    //@ requires head != null;
    public void drop() {
        head = head.next;
    }

    //@ requires head != null;
    //@ ensures \result <==> \reach(head, Node, next + other).int_size() == 1;
    public boolean tree() {
        return (head.next == null || head.next == head) && (head.other == null || head.other == head);
    }
}
