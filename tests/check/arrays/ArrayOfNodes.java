// Checks arrays of objects at two indices that may be equal, with objects that may be equal, and writes through both.
// target: ArrayOfNodes.update
// scope: 2
// k: 2
// objects: 4
// domain: int -1..2; value 0 1
public class ArrayOfNodes {
    static class Node {
        int value;
        Node next;
    }

    static int update(Node[] nodes, int i, int j, Node other) {
        if (nodes == null || nodes.length < 2) {
            return -1;
        }
        Node left = nodes[i];
        nodes[j] = other;
        if (left == null || nodes[i] == null) {
            return -2;
        }
        left.value = 5;
        nodes[i].next = left;
        other.value++;
        return nodes[i].next.value;
    }
}
