// A chain of texts in order.
// scope: 2
// domain: string ab
public class Ordered {
    static class Entry { String key; Entry next; }

    Entry head;

    boolean repOK() {
        int count = 0;
        for (Entry e = head; e != null; e = e.next) {
            if (++count > 5 || e.key == null || e.next != null && (e.next.key == null || e.key.compareTo(e.next.key) >= 0)) {
                return false;
            }
        }
        return true;
    }

    public void secondWord() {
        assert head == null || head.next == null || !head.next.key.equals("ba");
    }

    public void swapKeys() {
        if (head != null && head.next != null) {
            String key = head.key;
            head.key = head.next.key;
            head.next.key = key;
        }
    }

    public void dropFirst() {
        if (head != null) {
            head = head.next;
        }
    }

    public void cut() {
        if (head != null && head.key.length() == 2) {
            head.key = head.key.substring(1);
        }
    }
}
