// Checks a comparison of two trees, which may share nodes.
// target: TreeEqual.isEqual
// scope: 2
// domain: int 0..1
public class TreeEqual {
    static class Node {
        boolean isRed;
        Node left;
        Node right;
    }

    static boolean isEqual(Node one, Node other) {
        return isEqualTo(one, other, 1);
    }

    private static boolean isEqualTo(Node one, Node other, int levels) {
        if (one == null || other == null) {
            return one == other;
        }
        if (levels < 0) {
            return true;
        }
        return one.isRed == other.isRed && isEqualTo(one.left, other.left, levels - 1)
                && isEqualTo(one.right, other.right, levels - 1);
    }
}
