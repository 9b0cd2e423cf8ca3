// The same, in a chain, where no further object of the sentinel's class may exist.
// scope: 2
// lazuli: --scope 2,Mark=0
// domain: int 0 1
public class NodesWithSentinel {
    static final class Mark { }

    static final Mark PRESENT = new Mark();

    static final class Link { Link next; Mark mark; }

    Link first;

    boolean repOK() {
        int count = 0;
        for (Link link = first; link != null; link = link.next) {
            if (++count > 4 || link.mark == null) {
                return false;
            }
        }
        return true;
    }

    public void second() {
        assert first == null || first.next == null || first.next.mark != PRESENT;
    }

    public void one() {
        assert first == null || first.mark != PRESENT;
    }

    public void remove() {
        if (first != null) {
            first = first.next;
        }
    }

    public void unmark() {
        if (first != null && first.next != null && first.next.mark == first.mark) {
            first.mark = null;
        }
    }
}
