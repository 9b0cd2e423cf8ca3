// An argument may be a part of the receiver, at any depth.
// scope: 2
// domain: int 0 7
// complete: all
public class PartPassedIn {
    static class Cell { int mark; Cell down; }

    Cell first;

    boolean repOK() {
        return first != null && first.mark == 0 && (first.down == null || first.down.mark == 0);
    }

    public void paint(Cell given) {
        if (given != null) {
            given.mark = 7;
        }
    }

    public void paintBelow(Cell given) {
        if (given != null && given.down != null) {
            given.down.mark = 7;
        }
    }

    public void paintOther(Cell given) {
        if (given != null && given != first && given != first.down) {
            given.mark = 7;
        }
    }

    public void unlink(Cell given) {
        if (given != null && given == first.down) {
            first = null;
        }
    }
}
