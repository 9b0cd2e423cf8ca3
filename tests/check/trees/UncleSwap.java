// Checks a tree with parent pointers of which two subtrees are exchanged.
// target: UncleSwap$Node.swap
// scope: 3
// domain: int 0
// objects: 3
public class UncleSwap {
    static class Node {
        Node left;
        Node right;
        Node up;

        boolean swap() {
            if (up == null || up.up == null) {
                return false;
            }
            Node top = up.up;
            Node uncle = top.left == up ? top.right : top.left;
            if (uncle == null) {
                return false;
            }
            Node child = uncle.left;
            uncle.left = this;
            if (up.left == this) {
                up.left = child;
            } else {
                up.right = child;
            }
            if (child != null) {
                child.up = up;
            }
            up = uncle;
            return uncle.left.up == uncle;
        }
    }
}
