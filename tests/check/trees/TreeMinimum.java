// Checks a walk along the left children that stops at a child that is its own parent.
// target: TreeMinimum$Node.minimum
// scope: 2
// domain: int 0..1
public class TreeMinimum {
    static class Node {
        int key;
        Node left;
        Node right;

        int minimum() {
            Node at = this;
            for (int steps = 0; at.left != null && steps < 3; steps++) {
                if (at.left == at) {
                    throw new IllegalStateException("its own child");
                }
                at = at.left;
            }
            return at.key;
        }
    }
}
