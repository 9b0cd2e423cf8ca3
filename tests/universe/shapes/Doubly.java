// A ring through a header, whose entries refer back; an owner that some have, and a label that the invariant does not read.
// shapes: yes
// scope: 2
// domain: int 0 1 2
// unread: Entry.label
public class Doubly {
    static class Label { }

    static class Entry { Entry next; Entry previous; Doubly owner; Label label; }

    Entry header;
    int size;

    boolean repOK() {
        if (header == null) {
            return size == 0;
        }
        Entry at = header;
        int count = 0;
        do {
            if (at.next == null || at.next.previous != at || at.owner != null && at.owner != this) {
                return false;
            }
            at = at.next;
        } while (++count <= 2 && at != header);
        return at == header && size == count;
    }
}
