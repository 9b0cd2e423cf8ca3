package pli;

import java.util.HashSet;
import java.util.Set;

/** A hash map from ints to values with chained entries in 16 buckets. */
public class HashMap {
    static final int BUCKETS = 16;

    static class Entry {
        int key;
        Object value;
        int hash;
        Entry next;

        Entry(int key, Object value, int hash, Entry next) {
            this.key = key;
            this.value = value;
            this.hash = hash;
            this.next = next;
        }
    }

    int size;
    Entry e0, e1, e2, e3, e4, e5, e6, e7;
    Entry e8, e9, e10, e11, e12, e13, e14, e15;

    public boolean containsKey(int key) {
        return find(key) != null;
    }

    public Object get(int key) {
        Entry entry = find(key);
        return entry == null ? null : entry.value;
    }

    /** Does not return the old value, because reading it would decide what it is. */
    public void put(int key, Object value) {
        int hash = hash(key);
        int index = hash & (BUCKETS - 1);
        for (Entry entry = bucket(index); entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.key == key) {
                entry.value = value;
                return;
            }
        }
        setBucket(index, new Entry(key, value, hash, bucket(index)));
        size++;
    }

    /** Removes the entry with this key, and says whether there was one. */
    public boolean remove(int key) {
        int hash = hash(key);
        int index = hash & (BUCKETS - 1);
        Entry previous = null;
        for (Entry entry = bucket(index); entry != null; entry = entry.next) {
            if (entry.hash == hash && entry.key == key) {
                if (previous == null) {
                    setBucket(index, entry.next);
                } else {
                    previous.next = entry.next;
                }
                size--;
                return true;
            }
            previous = entry;
        }
        return false;
    }

    private Entry find(int key) {
        int hash = hash(key);
        Entry entry = bucket(hash & (BUCKETS - 1));
        while (entry != null && (entry.hash != hash || entry.key != key)) {
            entry = entry.next;
        }
        return entry;
    }

    /** An int is its own hash, as in java.lang.Integer. */
    private static int hash(int key) {
        return key;
    }

    // Buckets are fields and not an array, so that a bucket that nobody looks at stays undecided.

    Entry bucket(int index) {
        switch (index) {
            case 0: return e0;
            case 1: return e1;
            case 2: return e2;
            case 3: return e3;
            case 4: return e4;
            case 5: return e5;
            case 6: return e6;
            case 7: return e7;
            case 8: return e8;
            case 9: return e9;
            case 10: return e10;
            case 11: return e11;
            case 12: return e12;
            case 13: return e13;
            case 14: return e14;
            default: return e15;
        }
    }

    private void setBucket(int index, Entry entry) {
        switch (index) {
            case 0: e0 = entry; break;
            case 1: e1 = entry; break;
            case 2: e2 = entry; break;
            case 3: e3 = entry; break;
            case 4: e4 = entry; break;
            case 5: e5 = entry; break;
            case 6: e6 = entry; break;
            case 7: e7 = entry; break;
            case 8: e8 = entry; break;
            case 9: e9 = entry; break;
            case 10: e10 = entry; break;
            case 11: e11 = entry; break;
            case 12: e12 = entry; break;
            case 13: e13 = entry; break;
            case 14: e14 = entry; break;
            default: e15 = entry;
        }
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /** The buckets are disjoint lists that end, and the size is the number of entries. */
    boolean repOKHeap() {
        Set<Entry> visited = new HashSet<>();
        for (int i = 0; i < BUCKETS; i++) {
            for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                if (!visited.add(entry)) {
                    return false;
                }
            }
        }
        return size == visited.size();
    }

    /** Each entry is in the bucket of its key, knows its hash, and is the only one with its key. */
    boolean repOKData() {
        for (int i = 0; i < BUCKETS; i++) {
            for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                if (entry.hash != entry.key || (entry.key & (BUCKETS - 1)) != i) {
                    return false;
                }
                for (Entry later = entry.next; later != null; later = later.next) {
                    if (later.key == entry.key) {
                        return false;
                    }
                }
            }
        }
        return true;
    }
}
