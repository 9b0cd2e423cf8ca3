// Checks sums of fields that wrap around.
// target: ListSum.isNegative
// scope: 2
// domain: int -1 1 MAX
public class ListSum {
    static class Node {
        int elem;
        Node next;
    }

    static boolean isNegative(Node node) {
        int sum = node.elem;
        if (node.next != null) {
            sum += node.next.elem;
        }
        return sum < 0 && node.elem > 0;
    }
}
