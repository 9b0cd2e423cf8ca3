// Checks that a node is taken out of a list, and that the list is unchanged where the key is absent.
// target: ListRemove.remove
// scope: 2
// domain: int 0..1
public class ListRemove {
    Node head;
    int size;

    static class Node {
        int elem;
        Node next;
    }

    boolean remove(int key) {
        Node before = null;
        Node at = head;
        for (int steps = 0; at != null && steps < 3; steps++) {
            if (at.elem == key) {
                if (before == null) {
                    head = at.next;
                } else {
                    before.next = at.next;
                }
                size--;
                return true;
            }
            before = at;
            at = at.next;
        }
        return false;
    }
}
