// Checks a walk as long as a parameter says, which falls off the end of short lists.
// target: ListNth.nth
// scope: 3
// domain: index -1..4; elem 0 5
public class ListNth {
    Node head;

    static class Node {
        int elem;
        Node next;
    }

    int nth(int index) {
        if (index < 0 || index > 3) {
            throw new IndexOutOfBoundsException("index " + index);
        }
        Node at = head;
        while (index-- > 0) {
            at = at.next;
        }
        return at.elem;
    }
}
