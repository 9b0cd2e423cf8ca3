// The same, where the invariant looks at one slot or the other.
// shapes: yes
// scope: 2
// domain: boolean false true
public class OneSlot {
    static class Node { }

    Node[] slots;
    boolean isFirst;

    boolean repOK() {
        if (slots == null || slots.length != 2) {
            return false;
        }
        return isFirst ? slots[0] != null && slots[1] == null : slots[1] != null && slots[0] == null;
    }
}
