// The same, where a number says which slot is looked at.
// shapes: yes
// scope: 2
// domain: int 0 1 2
public class ChosenSlot {
    static class Node { }

    Node[] slots;
    int at;

    boolean repOK() {
        if (slots == null || slots.length != 2 || at < 0 || at > 1) {
            return false;
        }
        return slots[at] != null && slots[1 - at] == null;
    }
}
