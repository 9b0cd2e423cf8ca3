// What the elements of an array may be: each other, the receiver, parts of it.
// scope: 2
// domain: int 0 1
// objects: 5
// complete: precise precise-search eager
public class Elements {
    static class Slot { int n; }

    Slot[] slots;
    Slot chosen;

    boolean repOK() {
        if (slots == null || slots.length != 2 || chosen == null || chosen.n != 0) {
            return false;
        }
        return slots[0] == null || slots[0].n == 0;
    }

    public void second() {
        if (slots[1] != null) {
            slots[1].n = 1;
        }
    }

    public void same() {
        assert slots[0] == null || slots[0] != slots[1];
    }

    public void choose(int index) {
        if (index >= 0 && index < 2 && slots[index] != null) {
            chosen = slots[index];
        }
    }

    public void chooseFirst() {
        if (slots[0] != null) {
            chosen = slots[0];
        }
    }

    public void replaced(Slot[] given) {
        if (given == slots) {
            given[0] = null;
        }
    }

    public void replacedWrongly(Slot[] given) {
        if (given == slots) {
            slots = null;
        }
    }
}
