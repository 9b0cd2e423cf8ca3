// Nodes of two classes, one with a further reference, that know where they hang.
// shapes: yes
// scope: 3
// domain: int 0
public class Parents {
    static class Node { Node parent; Node left; }

    static class Fork extends Node { Node right; }

    Node root;

    boolean repOK() {
        return root == null || root.parent == null && isWithin(root, 0);
    }

    private static boolean isWithin(Node node, int above) {
        if (above > 3 || !hangs(node.left, node, above)) {
            return false;
        }
        if (node instanceof Fork fork) {
            return (fork.right == null || fork.right != fork.left) && hangs(fork.right, fork, above);
        }
        return true;
    }

    private static boolean hangs(Node child, Node parent, int above) {
        return child == null || child.parent == parent && isWithin(child, above + 1);
    }
}
