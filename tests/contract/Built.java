import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;

/** Inputs that the class's own methods make. */
public class Built {
    static class Cell {
        int key;
        String label = "cell";
        Integer twice;
        Cell next;
    }

    static int made;

    Cell first;
    int size;
    int[] keys = new int[2];
    final ArrayList<Object> log = new ArrayList<>();

    /** Keeps the list sorted, and refuses negative keys. */
    void add(int key) {
        if (key < 0) {
            throw new IllegalArgumentException("negative");
        }
        Cell cell = new Cell();
        cell.key = key;
        made++;
        if (first == null || first.key >= key) {
            cell.next = first;
            first = cell;
        } else {
            Cell before = first;
            while (before.next != null && before.next.key < key) {
                before = before.next;
            }
            cell.next = before.next;
            before.next = cell;
        }
        if (size < keys.length) {
            keys[size] = key;
        }
        size++;
    }

    /** Takes a cell that somebody else made. */
    void link(Cell cell) {
        cell.next = first;
        first = cell;
        size++;
    }

    /** Needs what is not supported. */
    void addLater(int key) {
        new Thread(() -> add(key)).start();
    }

    void note(Object what) {
        log.add(what);
    }

    boolean repOK() {
        int count = 0;
        for (Cell cell = first; cell != null; cell = cell.next) {
            if (cell.next != null && cell.next.key < cell.key) {
                return false;
            }
            count++;
            if (count > size) {
                return false;
            }
        }
        return count == size;
    }

    /** Forgets to count, from the third cell on. */
    void dropFirst() {
        if (first != null) {
            first = first.next;
            if (size != 3) {
                size--;
            }
        }
    }

    /** Wrong only where two cells have the same key. */
    int gap() {
        return first == null || first.next == null ? 0 : 12 / (first.next.key - first.key);
    }

    /** What the calls left outside of the object counts too. */
    void staticsAreSeen() {
        if (made != size) {
            throw new AssertionError("only where somebody else made cells");
        }
        if (size == 2 && keys[0] == 4 && keys[1] == 1) {
            throw new AssertionError("found: " + first.label);
        }
    }

    /** The list may hold itself. */
    boolean holdsItself() {
        return log.size() == 1 && log.get(0) == this;
    }

    void addAfterNote(int key) {
        if (log.isEmpty()) {
            throw new AssertionError("nothing was noted");
        }
        add(key);
    }

    /** Where only the methods above make the list, the cell was not there yet when something was noted. */
    void firstNoteIsNotTheCell() {
        if (log.size() == 1 && first != null && log.get(0) == first) {
            throw new AssertionError("the first note is the cell");
        }
    }

    /** The other list may be null, this one, or a third. */
    int compare(Built other) {
        if (other == null) {
            return 0;
        }
        if (other == this) {
            return 1;
        }
        return other.size == 2 && size == 1 && other.first.key == 7 ? 10 / (first.key - 3) : 2;
    }

    /** Runs calls such as `add:4` on a new list, and says how the last one ends. */
    public static void main(String[] calls) throws ReflectiveOperationException {
        Built list = new Built();
        for (String call : calls) {
            String[] parts = call.split(":");
            try {
                if (parts.length > 1) {
                    Built.class.getDeclaredMethod(parts[0], int.class).invoke(list, Integer.parseInt(parts[1]));
                } else {
                    Built.class.getDeclaredMethod(parts[0]).invoke(list);
                }
            } catch (InvocationTargetException thrown) {
                System.out.println(thrown.getCause().getClass().getSimpleName());
                return;
            }
        }
        System.out.println(list.repOK() ? "valid" : "invalid");
    }

    static int count(Built list) {
        return list == null ? 0 : list.size;
    }

    static int plain(int number) {
        return number;
    }
}

/** Has no constructor without parameters. */
class Sized {
    final int[] room;

    Sized(int size) {
        room = new int[size];
    }

    Sized(long size) {
        this((int) size);
    }

    void put(int at, int value) {
        room[at] = value;
    }

    int get(int at) {
        return room[at];
    }

    boolean repOK() {
        return room != null;
    }
}

abstract class Unfinished {
    void add() {
    }

    void run() {
    }
}

class Refuser {
    Refuser() {
        throw new IllegalStateException("never");
    }

    void add() {
    }
}
