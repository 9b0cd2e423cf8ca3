// Kiasan's figure 1 with a relation of the user's: merging sorted lists leaves them sorted as long as nothing writes what the relation reads.
public class Figure1 {
    static class Element {
        int value;
    }

    static class Node {
        /*@ nullable @*/ Element data;
        /*@ nullable @*/ Node next;
        int visits;
    }

    interface Order {
        /*@ pure @*/ boolean atMost(Element one, Element other);
    }

    private static final int MOST = 3;

    /** Merges two lists, each behind a header; null if two elements cannot be compared. */
    static /*@ nullable @*/ Node merge(Node one, Node two, Order order) {
        Node result = new Node();
        Node last = result;
        Node left = one.next;
        Node right = two.next;
        while (left != null || right != null) {
            boolean takesLeft = right == null || left != null && order.atMost(left.data, right.data);
            if (!takesLeft && left != null && !order.atMost(right.data, left.data)) {
                return null;
            }
            last.next = new Node();
            last = last.next;
            last.data = takesLeft ? left.data : right.data;
            if (takesLeft) {
                left = left.next;
            } else {
                right = right.next;
            }
        }
        return result;
    }

    /** No circle, few nodes, an element in each, and each of them at most the next one. */
    static boolean isSorted(Node list, Order order) {
        int size = 0;
        for (Node at = list.next; at != null; at = at.next) {
            if (++size > MOST || at.data == null) {
                return false;
            }
            if (at.next != null && at.next.data != null && !order.atMost(at.data, at.next.data)) {
                return false;
            }
        }
        return true;
    }

    static boolean isInOrder(Node list, Order order) {
        for (Node at = list.next; at != null && at.next != null; at = at.next) {
            if (!order.atMost(at.data, at.next.data)) {
                return false;
            }
        }
        return true;
    }

    static boolean isTaken(Node one, Node two, Order order) {
        return one != two && isSorted(one, order) && isSorted(two, order);
    }

    /** What is inserted behind the merge writes the lists, and no element. */
    public static void writesNodes(Node one, Node two, Order order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order);
            one.visits++;
            if (one.next != null) {
                one.next.visits++;
            }
            if (merged != null && !isInOrder(merged, order)) {
                throw new AssertionError();
            }
        }
    }

    /** What is inserted writes an element. */
    public static void writesElement(Node one, Node two, Order order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order);
            if (one.next != null) {
                one.next.data.value++;
            }
            if (merged != null && !isInOrder(merged, order)) {
                throw new AssertionError();
            }
        }
    }

    /** What is inserted writes an element that is in none of the lists. */
    public static void writesOther(Node one, Node two, Order order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order);
            new Element().value++;
            if (merged != null && !isInOrder(merged, order)) {
                throw new AssertionError();
            }
        }
    }
}
