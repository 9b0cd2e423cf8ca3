package taco;

/** The heap with the published defect in merge: extractMin loses nodes of some heaps of 13 nodes, and of no smaller one. */
public class BinHeapDefect extends BinHeap {
    @Override
    public int extractMin() {
        return super.extractMin();
    }

    /** A node of the second list that comes before one of the first is not linked to what precedes it, unless it becomes the first. */
    @Override
    Node merge(Node first, Node second) {
        if (first == null) {
            return second;
        }
        Node head = first;
        Node one = first;
        Node other = second;
        while (one != null && other != null) {
            Node rest = other.sibling;
            if (one.degree > other.degree) {
                other.sibling = one;
                if (one == head) {
                    head = other;
                }
                one = other;
                other = rest;
            } else if (one.degree == other.degree || one.sibling == null || one.sibling.degree > other.degree) {
                other.sibling = one.sibling;
                one.sibling = other;
                one = other.sibling;
                other = rest;
            } else {
                one = one.sibling;
            }
        }
        if (one == null) {
            Node last = head;
            while (last.sibling != null) {
                last = last.sibling;
            }
            last.sibling = other;
        }
        return head;
    }
}
