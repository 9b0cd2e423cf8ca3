// calls: 3
// sequences: 5
// classes: Spare Spare$Slot Spare$Plain
// ints: 0 1
// A class whose fields the package may write, with objects of one whose fields it may not.
class Spare {
    static class Plain {
        int number;
        Slot slot;
    }

    static class Slot {
        private int use = 1;

        void mark() {
            use = 2;
        }
    }

    private final Plain plain = new Plain();

    Plain plain() {
        return plain;
    }

    int checkNumber() {
        return 6 / (plain.number - 1);
    }

    int checkSlot() {
        return plain.slot == null ? 0 : 6 / plain.slot.use;
    }

    static int checkMarked(Plain given) {
        return given == null || given.slot == null ? 0 : 6 / (given.slot.use - 2);
    }

    static int checkUse(Plain given) {
        return given == null || given.slot == null ? 0 : 6 / given.slot.use;
    }
}
