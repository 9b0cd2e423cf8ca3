// A table whose nodes are where their keys say.
// shapes: yes
// scope: 2
// domain: int 0 1
public class Buckets {
    static class Node { int key; Node next; }

    Node[] table;

    boolean repOK() {
        if (table == null || table.length != 2) {
            return false;
        }
        for (int i = 0; i < 2; i++) {
            int count = 0;
            for (Node node = table[i]; node != null; node = node.next) {
                if (++count > 3 || (node.key & 1) != i) {
                    return false;
                }
            }
        }
        return true;
    }
}
