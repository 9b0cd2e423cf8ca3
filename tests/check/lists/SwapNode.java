// Checks that swapping the first two nodes of a list has the executions that generalized symbolic execution is known for.
// target: SwapNode$Node.swapNode
// scope: 3
// domain: elem 0 1
public class SwapNode {
    static class Node {
        int elem;
        Node next;

        Node swapNode() {
            if (next != null) {
                if (elem > next.elem) {
                    Node second = next;
                    next = second.next;
                    second.next = this;
                    return second;
                }
            }
            return this;
        }
    }
}
