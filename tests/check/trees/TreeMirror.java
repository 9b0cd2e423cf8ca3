// Checks that children are exchanged, two levels deep, also where they are shared.
// target: TreeMirror.mirror
// scope-for-threads: 6
// scope: 3
public class TreeMirror {
    static class Node {
        Node left;
        Node right;
    }

    static void mirror(Node node) {
        turn(node, 2);
    }

    private static void turn(Node node, int levels) {
        if (node == null || levels == 0) {
            return;
        }
        Node left = node.left;
        node.left = node.right;
        node.right = left;
        turn(node.left, levels - 1);
        turn(node.right, levels - 1);
    }
}
