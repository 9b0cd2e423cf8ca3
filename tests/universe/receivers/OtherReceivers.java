// Two methods of one class have different receivers, because a subclass overrides one of them: what is found out for the one is not taken for the other.
// scope: 2
// domain: int 0 1
public class OtherReceivers {
    static class Node { Node next; }

    Node first;

    boolean mayHaveTwo() {
        return false;
    }

    boolean repOK() {
        return first == null || first.next == null || mayHaveTwo() && first.next.next == null;
    }

    static class Longer extends OtherReceivers {
        @Override
        boolean mayHaveTwo() {
            return true;
        }

        @Override
        public void onlyOne() { }
    }

    public void onlyOne() {
        assert first == null || first.next == null;
    }

    public void two() {
        assert first == null || first.next == null;
    }

    public void three() {
        assert first == null || first.next == null || first.next.next == null;
    }
}
