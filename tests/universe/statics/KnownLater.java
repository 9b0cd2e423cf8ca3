// A static field holds a node of the kind that the receiver consists of, and its class is initialised only on some paths.
// scope: 2
// domain: int 0 1
public class KnownLater {
    static class Node { Node next; int n; }

    static class Pool {
        static final Node SPARE = new Node();
        static final Node LAST = new Node();
    }

    Node first;

    boolean repOK() {
        return first != null && first.n == 0 && (first.next == null || first.next.n == 0);
    }

    public void usesSpare() {
        if (first.next == Pool.SPARE) {
            Pool.SPARE.n = 1;
        }
    }

    public void isSpare() {
        assert first != Pool.SPARE;
    }

    public void changesSpare() {
        Pool.SPARE.n = 1;
    }

    public void isLast() {
        assert first.next == null || first.next != Pool.LAST;
    }

    public void changesGiven(Node given) {
        if (given == Pool.SPARE && given != null) {
            given.n = 1;
        }
    }
}
