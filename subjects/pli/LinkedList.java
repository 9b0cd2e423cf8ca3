package pli;

import java.util.NoSuchElementException;

/** A circular doubly linked list of ints whose header entry carries no element. */
public class LinkedList {
    static class Entry {
        int element;
        Entry next;
        Entry previous;
    }

    int size;
    Entry header;

    public LinkedList() {
        header = new Entry();
        header.next = header;
        header.previous = header;
    }

    public void add(int element) {
        Entry fresh = new Entry();
        fresh.element = element;
        fresh.next = header;
        fresh.previous = header.previous;
        fresh.previous.next = fresh;
        fresh.next.previous = fresh;
        size++;
    }

    public boolean contains(int element) {
        for (Entry entry = header.next; entry != header; entry = entry.next) {
            if (entry.element == element) {
                return true;
            }
        }
        return false;
    }

    /** Removes the first occurrence of the value, and says whether there was one. */
    public boolean remove(int value) {
        for (Entry entry = header.next; entry != header; entry = entry.next) {
            if (entry.element == value) {
                unlink(entry);
                return true;
            }
        }
        return false;
    }

    public int removeFirst() throws NoSuchElementException {
        Entry first = header.next;
        if (first == header) {
            throw new NoSuchElementException();
        }
        int element = first.element;
        unlink(first);
        return element;
    }

    private void unlink(Entry entry) {
        entry.previous.next = entry.next;
        entry.next.previous = entry.previous;
        entry.next = null;
        entry.previous = null;
        size--;
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /**
     * The links form one cycle through the header. A set of visited entries is not needed: an entry that is reached
     * twice would need two predecessors, but its back link names only one.
     */
    boolean repOKHeap() {
        if (header == null) {
            return false;
        }
        Entry entry = header;
        do {
            Entry next = entry.next;
            if (next == null || next.previous != entry) {
                return false;
            }
            entry = next;
        } while (entry != header);
        return true;
    }

    /** The size is the number of entries without the header. */
    boolean repOKData() {
        int count = 0;
        for (Entry entry = header.next; entry != header; entry = entry.next) {
            count++;
        }
        return size == count;
    }
}
