// An object that was found as an element of an Object[] is a Holder<Node> once a field says so.
// scope: 1
// domain: int 0 1
// objects: 3
// wide: String
public class FoundInArray<T extends FoundInArray.Node> {
    static class Node {
        int n;
    }

    static class Holder<V> {
        V value;

        V get() {
            return value;
        }
    }

    Holder<Node> held;

    public void holdsNodes(Object[] all, T unused) {
        if (all != null && all.length == 1 && all[0] != null && all[0] != all && held == all[0] && held.get() != null) {
            Node node = held.get();
            assert node.n == held.get().n;
        }
    }
}
