// Checks that a field that is written before it is read is not an input.
// target: ListOverwrite$Node.link
// scope: 2
// domain: int 0..1
public class ListOverwrite {
    static class Node {
        int elem;
        Node next;

        int link(Node other) {
            next = other;
            if (other.next == this) {
                return 1;
            }
            other.elem = 3;
            return next.elem + elem;
        }
    }
}
