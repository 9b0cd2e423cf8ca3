/** A list whose nodes carry something: with all values of its fields, each method but one fails. */
public class Carrier {
    static class Node {
        Node next;
        Object value;
        int key;
        long weight;
        boolean marked;
    }

    static class Heavy extends Node {
    }

    private Node first;

    public boolean repOK() {
        int before = Integer.MIN_VALUE;
        int count = 0;
        for (Node node = first; node != null; node = node.next) {
            if (node.key < before || ++count > 3) {
                return false;
            }
            before = node.key;
        }
        return true;
    }

    // Techniques that look at the invariant last meet circles too, in which these loops end.
    public void nothing() {
        int left = 3;
        for (Node node = first; node != null && left-- > 0; node = node.next) {
            assert node.value == null;
        }
    }

    public void whole() {
        int left = 3;
        for (Node node = first; node != null && left-- > 0; node = node.next) {
            assert node.value == null || node.value instanceof Integer;
        }
    }

    public void small() {
        int left = 3;
        for (Node node = first; node != null && left-- > 0; node = node.next) {
            assert node.key >= 0 && node.key <= 2;
        }
    }

    public void smaller() {
        int left = 3;
        for (Node node = first; node != null && left-- > 0; node = node.next) {
            assert node.key < 2;
        }
    }

    public void heavy() {
        int left = 3;
        for (Node node = first; node != null && left-- > 0; node = node.next) {
            assert node.weight != 0 || !node.marked;
        }
    }

    public void single() {
        assert first == null || first.next == null;
    }

    /** Copies what it does not look at: as many paths as there are kinds of values. */
    public Object copy() {
        Object last = null;
        for (Node node = first; node != null; node = node.next) {
            last = node.value;
            node.value = null;
        }
        return last;
    }
}
