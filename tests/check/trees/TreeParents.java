// Checks back pointers from children to their parent.
// target: TreeParents$Node.isLinked
// scope: 2
public class TreeParents {
    static class Node {
        Node parent;
        Node left;
        Node right;

        boolean isLinked() {
            if (left != null && left.parent != this) {
                return false;
            }
            if (right != null && right.parent != this) {
                return false;
            }
            return left != right || left == null;
        }
    }
}
