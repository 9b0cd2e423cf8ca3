// Kiasan's figure 1 with elements that have fields, and code inserted behind the merge (section 2, point 4): an order stays what it is until an element is written.
import java.util.Comparator;

public class TypedMerge {
    static class Element {
        int value;
    }

    static class Node {
        Element data;
        Node next;
        int visits;
    }

    static Node merge(Node one, Node two, Comparator<Element> order) {
        Node result = new Node();
        Node last = result;
        Node left = one.next;
        Node right = two.next;
        while (left != null || right != null) {
            boolean takesLeft = right == null || left != null && order.compare(left.data, right.data) <= 0;
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

    static boolean isSorted(Node list, Comparator<Element> order) {
        for (Node at = list.next; at != null && at.next != null; at = at.next) {
            if (order.compare(at.data, at.next.data) > 0) {
                return false;
            }
        }
        return true;
    }

    /** A header and at most two nodes behind it, each with an element. */
    static boolean isShort(Node list) {
        Node first = list.next;
        return first == null || first.data != null && (first.next == null || first.next.data != null && first.next.next == null);
    }

    static boolean isTaken(Node one, Node two, Comparator<Element> order) {
        return one != null && two != null && order != null && isShort(one) && isShort(two) && isSorted(one, order) && isSorted(two, order);
    }

    public static void writesNodes(Node one, Node two, Comparator<Element> order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order);
            one.visits++;
            if (one.next != null) {
                one.next.visits++;
            }
            assert isSorted(merged, order);
        }
    }

    public static void writesElement(Node one, Node two, Comparator<Element> order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order);
            if (one.next != null) {
                one.next.data.value++;
            }
            assert isSorted(merged, order);
        }
    }

    public static void writesOther(Node one, Node two, Comparator<Element> order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order);
            new Element().value++;
            assert isSorted(merged, order);
        }
    }
}
