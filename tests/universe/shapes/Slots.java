// Which slot of an array holds an object tells shapes apart.
// shapes: yes
// scope: 2
// domain: int 0 1
public class Slots {
    static class Node { int n; }

    Node[] slots;

    boolean repOK() {
        if (slots == null) {
            return true;
        }
        for (Node node : slots) {
            if (node != null && node.n == 3) {
                return false;
            }
        }
        return true;
    }
}
