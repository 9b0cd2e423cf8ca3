// Checks that without the null check there is one more way to end, a NullPointerException.
// target: SwapNodeUnchecked$Node.swapNode
// scope: 3
// domain: elem 0 1
public class SwapNodeUnchecked {
    static class Node {
        int elem;
        Node next;

        Node swapNode() {
            if (elem > next.elem) {
                Node second = next;
                next = second.next;
                second.next = this;
                return second;
            }
            return this;
        }
    }
}
