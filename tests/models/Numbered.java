package models;

/** Classes for which numbering objects breadth first is not as simple as in a tree. */
class Numbered {
    private Numbered() {}
}

/** Ends with one node for all lists, which is no input. */
class WithSentinel {
    static final WithSentinel NIL = new WithSentinel();

    int key;
    WithSentinel next;

    public boolean repOK() {
        int left = 4;
        for (WithSentinel node = this; node != NIL; node = node.next) {
            if (node == null || left-- == 0) {
                return false;
            }
        }
        return true;
    }

    public int second() {
        return next == NIL ? 0 : next.next == NIL ? 1 : 2;
    }
}

/** One field is looked at only where a number says so: elsewhere it may be anything. */
class WithChoice {
    int kind;
    WithChoice next;
    WithChoice other;

    public boolean repOK() {
        return next != this && (kind != 1 || (other != null && other != next));
    }

    public int reads() {
        if (next != null && other == next) {
            return 1;
        }
        return other == this ? 2 : 3;
    }
}

/** Two fields of different types refer to the same objects. */
class WithKinds {
    static class Special extends WithKinds {
        int extra;
    }

    WithKinds next;
    Special special;

    public boolean repOK() {
        return special == null || next == special;
    }

    public int reads(Special given) {
        if (next == given && given != null) {
            return given.special == this ? 1 : 2;
        }
        return next == null || next.next == null ? 3 : 4;
    }
}

/** Its invariant never looks at the payload, which may be a node. */
class WithPayload {
    Object payload;
    WithPayload next;

    public boolean repOK() {
        return next == null || (next != this && next.next == null);
    }

    public int reads(WithPayload other) {
        if (payload == next && next != null) {
            return 1;
        }
        if (other == null) {
            return 2;
        }
        if (other.payload == this) {
            return 3;
        }
        return other.next == this ? 4 : other.next == next ? 5 : 6;
    }
}

/** The classes of nodes have fields of their own. */
abstract class WithClasses {
    WithClasses next;

    static class Leaf extends WithClasses {
        int key;
    }

    static class Fork extends WithClasses {
        WithClasses side;
    }

    public boolean repOK() {
        if (next == this) {
            return false;
        }
        return !(next instanceof Fork) || ((Fork) next).side != null;
    }

    public int reads() {
        if (next instanceof Fork) {
            Fork fork = (Fork) next;
            return fork.side == this ? 1 : fork.side == fork ? 2 : fork.side.next == null ? 3 : 4;
        }
        return next == null ? 5 : next.next == this ? 6 : 7;
    }
}
