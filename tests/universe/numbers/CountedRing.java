// Rings are valid here: round one of them, the invariant counts up to the size and then says yes.
// scope: 2
// domain: int 0 1 2 3
public class CountedRing {
    static class Node {
        Node next;
    }

    Node at;
    int turns;

    boolean repOK() {
        Node node = at;
        for (int i = 0; i < turns; i++) {
            if (node == null) {
                return false;
            }
            node = node.next;
        }
        return turns >= 0 && (at == null || node == at);
    }

    public void turn() {
        turns++;
    }

    public void twice() {
        turns *= 2;
    }

    public void isNoRing() {
        assert at == null || at.next != at || turns < 2;
    }
}
