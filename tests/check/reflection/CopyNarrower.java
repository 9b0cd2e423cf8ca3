// Checks that arraycopy refuses unknown elements of the wrong class, and copies those before.
// target: CopyNarrower.copy
// scope: 2
public class CopyNarrower {
    static class Node {
    }

    static class Leaf extends Node {
    }

    static int copy(Node one, Node other) {
        Node[] from = {one, other};
        Leaf[] to = new Leaf[2];
        try {
            System.arraycopy(from, 0, to, 0, 2);
        } catch (ArrayStoreException refused) {
            return to[0] == null ? 1 : 2;
        }
        return 0;
    }
}
