/** Contract methods that change what they should only look at. */
public class Impure {
    static class Node {
        boolean mark;
        Node next;
        int[] keys;
    }

    static int calls;

    Node head;
    short size;
    java.util.concurrent.atomic.AtomicInteger unused;

    public void target(int by) {
        if (head != null) {
            size += by;
        }
    }

    boolean marks() {
        for (Node node = head; node != null; node = node.next) {
            if (node.mark) {
                return false;
            }
            node.mark = true; // line 26
        }
        return true;
    }

    boolean counts() {
        calls++; // line 32
        return true;
    }

    boolean narrows() {
        size = (short) (size + 1); // line 37
        return true;
    }

    boolean sorts() {
        if (head != null && head.keys != null) {
            java.util.Arrays.fill(head.keys, 0); // line 43
        }
        return true;
    }

    boolean copies() {
        if (head != null && head.keys != null && head.keys.length > 1) {
            System.arraycopy(new int[1], 0, head.keys, 1, 1); // line 50
        }
        return true;
    }

    boolean writesBefore(int by) {
        size = 3; // line 56
        return true;
    }

    boolean writesAfter(int by) {
        Node fresh = new Node();
        fresh.mark = true;
        head = fresh; // line 63
        return true;
    }

    /** Writes to its own objects, and to static fields of a class that it initialises. */
    boolean pure() {
        Node fresh = new Node();
        fresh.mark = true;
        fresh.keys = new int[3];
        fresh.keys[1] = Helper.LIMIT;
        java.util.Set<Node> seen = new java.util.HashSet<>();
        for (Node node = head; node != null; node = node.next) {
            if (!seen.add(node)) {
                return false;
            }
        }
        return fresh.mark;
    }

    static class Helper {
        static int LIMIT = Integer.parseInt("4");
    }
}
