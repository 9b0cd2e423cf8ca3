// Checks a rotation, which reads two levels and writes three references.
// target: TreeRotate$Node.rotateLeft
// scope: 2
// domain: int 0
public class TreeRotate {
    static class Node {
        Node left;
        Node right;

        Node rotateLeft() {
            Node pivot = right;
            right = pivot.left;
            pivot.left = this;
            return pivot;
        }
    }
}
