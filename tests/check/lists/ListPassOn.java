// Checks references that are moved, but never looked at.
// target: ListPassOn$Node.rotate
// scope: 3
public class ListPassOn {
    static class Node {
        Node left;
        Node right;

        Node rotate(Node other) {
            Node moved = left;
            left = right;
            right = other;
            return moved;
        }
    }
}
