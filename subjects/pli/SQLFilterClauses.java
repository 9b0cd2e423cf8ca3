package pli;

import java.util.HashSet;
import java.util.Set;

/** The filter clauses of database queries: a hash map, by clause, of hash maps, by table. */
public class SQLFilterClauses {
    /** A hash map from tables to filters with 8 buckets. */
    static class TableMap {
        static final int BUCKETS = 8;

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

        Object get(int key) {
            Entry entry = find(key);
            return entry == null ? null : entry.value;
        }

        void put(int key, Object value) {
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
                default: return e7;
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
                default: e7 = entry;
            }
        }

        /** As in HashMap; the set has the entries of the other maps of this kind. */
        boolean repOKHeap(Set<Entry> visited) {
            int count = 0;
            for (int i = 0; i < BUCKETS; i++) {
                for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                    if (!visited.add(entry)) {
                        return false;
                    }
                    count++;
                }
            }
            return size == count;
        }

        /** As in HashMap: each entry is in the bucket of its key, knows its hash, and is the only one with its key. */
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

    /** A hash map from clauses to what they say about tables, with 8 buckets. */
    static class ClauseMap {
        static final int BUCKETS = 8;

        static class Entry {
            int key;
            TableMap value;
            int hash;
            Entry next;

            Entry(int key, TableMap value, int hash, Entry next) {
                this.key = key;
                this.value = value;
                this.hash = hash;
                this.next = next;
            }
        }

        int size;
        Entry e0, e1, e2, e3, e4, e5, e6, e7;

        TableMap get(int key) {
            Entry entry = find(key);
            return entry == null ? null : entry.value;
        }

        void put(int key, TableMap value) {
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
                default: return e7;
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
                default: e7 = entry;
            }
        }

        /** As in HashMap, and each entry has a map of its own. */
        boolean repOKHeap() {
            Set<Entry> visited = new HashSet<>();
            Set<TableMap> maps = new HashSet<>();
            for (int i = 0; i < BUCKETS; i++) {
                for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                    if (!visited.add(entry) || entry.value == null || !maps.add(entry.value)) {
                        return false;
                    }
                }
            }
            if (size != visited.size()) {
                return false;
            }
            Set<TableMap.Entry> below = new HashSet<>();
            for (int i = 0; i < BUCKETS; i++) {
                for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                    if (!entry.value.repOKHeap(below)) {
                        return false;
                    }
                }
            }
            return true;
        }

        /** As in HashMap, for this map and for the maps in it. */
        boolean repOKData() {
            for (int i = 0; i < BUCKETS; i++) {
                for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                    if (entry.hash != entry.key || (entry.key & (BUCKETS - 1)) != i) {
                        return false;
                    }
                    if (!entry.value.repOKData()) {
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

    ClauseMap clauses;

    public SQLFilterClauses() {
        clauses = new ClauseMap();
    }

    /** The filter, or null if there is none for this clause and table. */
    public Object get(int clause, int table) {
        TableMap tables = clauses.get(clause);
        return tables == null ? null : tables.get(table);
    }

    public void put(int clause, int table, Object filter) {
        TableMap tables = clauses.get(clause);
        if (tables == null) {
            tables = new TableMap();
            clauses.put(clause, tables);
        }
        tables.put(table, filter);
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    boolean repOKHeap() {
        return clauses != null && clauses.repOKHeap();
    }

    boolean repOKData() {
        return clauses.repOKData();
    }
}
