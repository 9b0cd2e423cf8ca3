// An invariant that counts nodes up to a size that is not known: round a cycle, it counts until the size is passed, and then says no.
// scope: 2
// domain: int 0 1 2
// complete: precise precise-search
public class Counted {
    static class Node {
        Node next;
        boolean isMarked;
    }

    Node first;
    int size;
    int marked;

    boolean repOK() {
        int count = 0;
        for (Node node = first; node != null; node = node.next) {
            if (++count > size) {
                return false;
            }
        }
        int found = 0;
        Node node = first;
        for (int i = 0; i < size; i++) {
            if (node == null) {
                return false;
            }
            found += node.isMarked ? 1 : 0;
            node = node.next;
        }
        return count == size && found == marked;
    }

    public void add() {
        Node node = new Node();
        node.next = first;
        first = node;
        size++;
    }

    public void forget() {
        if (first != null) {
            first = first.next;
            size--;
        }
    }

    public void drop() {
        if (first != null) {
            marked -= first.isMarked ? 1 : 0;
            first = first.next;
            size--;
        }
    }

    public void mark() {
        if (first != null && !first.isMarked) {
            first.isMarked = true;
            marked++;
        }
    }

    public int walk() {
        int steps = 0;
        for (Node node = first; node != null; node = node.next) {
            steps++;
        }
        assert steps == size;
        return steps;
    }
}
