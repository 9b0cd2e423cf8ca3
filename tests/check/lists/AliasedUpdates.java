// Checks reads of fields after writes through aliases, along two steps.
// target: AliasedUpdates$Node.run
// scope: 3
// domain: int 0..1
public class AliasedUpdates {
    static class Node {
        int v;
        Node a;
        Node b;

        int run(Node p) {
            if (p == null || p.a == null || a == null) {
                return -1;
            }
            p.a.b = this;
            a.v = p.v + 1;
            if (p.b == this) {
                p.a = p.b;
                return v;
            }
            b = null;
            return p.a.b == null ? p.v : p.a.b.v;
        }
    }
}
