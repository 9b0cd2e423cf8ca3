// Checks the search for a cycle with a slow and a fast walker.
// target: ListHasCycle.hasCycle
// scope: 4
public class ListHasCycle {
    static class Node {
        Node next;
    }

    static boolean hasCycle(Node head) {
        Node slow = head;
        Node fast = head;
        while (fast != null && fast.next != null) {
            slow = slow.next;
            fast = fast.next.next;
            if (slow == fast) {
                return true;
            }
        }
        return false;
    }
}
