package pli;

import java.util.HashSet;
import java.util.Set;

/** What the combatants of a game did: by type of data, by combatant, a list of values. */
public class CombatantStatistic {
    /** A hash map from combatants to lists of values, with 4 buckets. */
    static class DataMap {
        static final int BUCKETS = 4;

        static class Entry {
            int key;
            LinkedList value;
            int hash;
            Entry next;

            Entry(int key, LinkedList value, int hash, Entry next) {
                this.key = key;
                this.value = value;
                this.hash = hash;
                this.next = next;
            }
        }

        int size;
        Entry e0, e1, e2, e3;

        LinkedList get(int key) {
            Entry entry = find(key);
            return entry == null ? null : entry.value;
        }

        void put(int key, LinkedList value) {
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
                default: return e3;
            }
        }

        private void setBucket(int index, Entry entry) {
            switch (index) {
                case 0: e0 = entry; break;
                case 1: e1 = entry; break;
                case 2: e2 = entry; break;
                default: e3 = entry;
            }
        }

        /**
         * As in HashMap, and each entry has a list of its own. The sets have the entries, the lists and the nodes of the other
         * maps of this kind.
         */
        boolean repOKHeap(Set<Entry> visited, Set<LinkedList> lists, Set<LinkedList.Entry> nodes) {
            int count = 0;
            for (int i = 0; i < BUCKETS; i++) {
                for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                    if (!visited.add(entry) || entry.value == null || !lists.add(entry.value)
                            || !isList(entry.value, nodes)) {
                        return false;
                    }
                    count++;
                }
            }
            return size == count;
        }

        /** The list has proper links, and its nodes belong to no other list. */
        private static boolean isList(LinkedList list, Set<LinkedList.Entry> nodes) {
            if (!list.repOKHeap()) {
                return false;
            }
            LinkedList.Entry node = list.header;
            do {
                if (!nodes.add(node)) {
                    return false;
                }
                node = node.next;
            } while (node != list.header);
            return true;
        }
    }

    /** A hash map from types of data to the data, with 32 buckets. */
    static class TypeMap {
        static final int BUCKETS = 32;

        static class Entry {
            int key;
            DataMap value;
            int hash;
            Entry next;

            Entry(int key, DataMap value, int hash, Entry next) {
                this.key = key;
                this.value = value;
                this.hash = hash;
                this.next = next;
            }
        }

        int size;
        Entry e0, e1, e2, e3, e4, e5, e6, e7;
        Entry e8, e9, e10, e11, e12, e13, e14, e15;
        Entry e16, e17, e18, e19, e20, e21, e22, e23;
        Entry e24, e25, e26, e27, e28, e29, e30, e31;

        DataMap get(int key) {
            Entry entry = find(key);
            return entry == null ? null : entry.value;
        }

        void put(int key, DataMap value) {
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
                case 7: return e7;
                case 8: return e8;
                case 9: return e9;
                case 10: return e10;
                case 11: return e11;
                case 12: return e12;
                case 13: return e13;
                case 14: return e14;
                case 15: return e15;
                case 16: return e16;
                case 17: return e17;
                case 18: return e18;
                case 19: return e19;
                case 20: return e20;
                case 21: return e21;
                case 22: return e22;
                case 23: return e23;
                case 24: return e24;
                case 25: return e25;
                case 26: return e26;
                case 27: return e27;
                case 28: return e28;
                case 29: return e29;
                case 30: return e30;
                default: return e31;
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
                case 15: e15 = entry; break;
                case 16: e16 = entry; break;
                case 17: e17 = entry; break;
                case 18: e18 = entry; break;
                case 19: e19 = entry; break;
                case 20: e20 = entry; break;
                case 21: e21 = entry; break;
                case 22: e22 = entry; break;
                case 23: e23 = entry; break;
                case 24: e24 = entry; break;
                case 25: e25 = entry; break;
                case 26: e26 = entry; break;
                case 27: e27 = entry; break;
                case 28: e28 = entry; break;
                case 29: e29 = entry; break;
                case 30: e30 = entry; break;
                default: e31 = entry;
            }
        }

        /** As in HashMap, and each entry has a map of its own. */
        boolean repOKHeap() {
            Set<Entry> visited = new HashSet<>();
            Set<DataMap> maps = new HashSet<>();
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
            Set<DataMap.Entry> below = new HashSet<>();
            Set<LinkedList> lists = new HashSet<>();
            Set<LinkedList.Entry> nodes = new HashSet<>();
            for (int i = 0; i < BUCKETS; i++) {
                for (Entry entry = bucket(i); entry != null; entry = entry.next) {
                    if (!entry.value.repOKHeap(below, lists, nodes)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    TypeMap types;

    public CombatantStatistic() {
        types = new TypeMap();
    }

    public void addData(int type, int combatant, int value) {
        ensureTypExists(type);
        DataMap data = types.get(type);
        LinkedList values = data.get(combatant);
        if (values == null) {
            values = new LinkedList();
            data.put(combatant, values);
        }
        values.add(value);
    }

    public void ensureTypExists(int type) {
        if (types.get(type) == null) {
            types.put(type, new DataMap());
        }
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    boolean repOKHeap() {
        return types != null && types.repOKHeap();
    }

    /** Nothing is demanded of keys, hashes and lengths of lists: the published invariant has no data part here. */
    boolean repOKData() {
        return true;
    }
}
