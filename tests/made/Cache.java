// calls: 3
// classes: Cache Cache$Entry
// ints: 0 1
// A private field that is null until a method sets it.
class Cache {
    static class Entry {
        private int uses;

        void use() {
            if (uses < 2) {
                uses++;
            }
        }
    }

    private Entry entry;
    private boolean isReady;

    Entry get() {
        if (entry == null) {
            entry = new Entry();
            isReady = true;
        }
        return entry;
    }

    int checkReady() {
        return isReady ? entry.uses : 0;
    }

    int checkUnready() {
        return entry.uses;
    }

    int checkUsed() {
        return entry == null ? 0 : 6 / (entry.uses - 1);
    }

    int checkUnused() {
        return entry == null ? 0 : 6 / (entry.uses + 1);
    }

    static int checkEntry(Entry entry) {
        return entry == null ? 0 : 6 / (entry.uses - 2);
    }
}
