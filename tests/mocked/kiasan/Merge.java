// Merges two sorted lists with header nodes by a comparator that is not there (Kiasan, figure 1).
import java.util.Comparator;

public class Merge {
    static class Node {
        Object data;
        Node next;
    }

    static Node merge(Node one, Node two, Comparator<Object> order, boolean isInverted) {
        Node result = new Node();
        Node last = result;
        Node left = one.next;
        Node right = two.next;
        while (left != null || right != null) {
            boolean takesLeft = right == null;
            if (left != null && right != null) {
                int found = order.compare(left.data, right.data);
                takesLeft = isInverted ? found > 0 : found <= 0;
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

    static boolean isSorted(Node list, Comparator<Object> order) {
        for (Node at = list.next; at != null && at.next != null; at = at.next) {
            if (order.compare(at.data, at.next.data) > 0) {
                return false;
            }
        }
        return true;
    }

    /** How many nodes follow the header; -1 if the list has a circle. */
    static int size(Node list) {
        int size = 0;
        for (Node at = list.next; at != null; at = at.next) {
            if (++size > 4) {
                return -1;
            }
        }
        return size;
    }

    static boolean contains(Node list, Object data) {
        for (Node at = list.next; at != null; at = at.next) {
            if (at.data == data) {
                return true;
            }
        }
        return false;
    }

    static boolean isTaken(Node one, Node two, Comparator<Object> order) {
        return one != null && two != null && order != null && size(one) >= 0 && size(two) >= 0 && isSorted(one, order) && isSorted(two, order);
    }

    public static void staysSorted(Node one, Node two, Comparator<Object> order) {
        if (isTaken(one, two, order)) {
            assert isSorted(merge(one, two, order, false), order);
        }
    }

    public static void addsUp(Node one, Node two, Comparator<Object> order) {
        if (isTaken(one, two, order)) {
            Node merged = merge(one, two, order, false);
            int size = 0;
            for (Node at = merged.next; at != null; at = at.next) {
                size++;
                assert contains(one, at.data) || contains(two, at.data);
            }
            assert size == size(one) + size(two);
        }
    }

    public static void inverted(Node one, Node two, Comparator<Object> order) {
        if (isTaken(one, two, order)) {
            assert isSorted(merge(one, two, order, true), order);
        }
    }
}
