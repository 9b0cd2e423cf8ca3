// Checks a search that gives up after three nodes, so that it ends on cyclic lists too.
// target: ListContains.contains
// scope: 3
// domain: int 0..1
public class ListContains {
    static class Node {
        int elem;
        Node next;
    }

    static boolean contains(Node head, int key) {
        Node at = head;
        for (int steps = 0; at != null && steps < 3; steps++) {
            if (at.elem == key) {
                return true;
            }
            at = at.next;
        }
        return false;
    }
}
