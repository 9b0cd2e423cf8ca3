// defect evicted, stale entry in a second index: LruCache.put throws AssertionError
//     LruCache<String, Integer> cache = new LruCache<>(1);
//     cache.put("a", 1);
//     cache.put("b", 2);
// defect unlinked, a link that is not kept: LruCache.get throws NullPointerException
//     LruCache<String, Integer> cache = new LruCache<>(3);
//     cache.put("a", 1);
//     cache.put("b", 2);
//     cache.get("a");
package ordinary.lru;

import java.util.HashMap;
import java.util.Map;

/** Keeps the entries that were used last. */
public class LruCache<K, V> {
    private static final class Entry<K, V> {
        final K key;
        V value;
        Entry<K, V> newer;
        Entry<K, V> older;

        Entry(K key, V value) {
            this.key = key;
            this.value = value;
        }
    }

    private final int capacity;
    private final Map<K, Entry<K, V>> entries = new HashMap<>();
    private Entry<K, V> newest;
    private Entry<K, V> oldest;

    public LruCache(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity);
        }
        this.capacity = capacity;
    }

    public V get(K key) {
        Entry<K, V> entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        unlink(entry);
        linkFirst(entry);
        return entry.value;
    }

    public void put(K key, V value) {
        Entry<K, V> entry = entries.get(key);
        if (entry != null) {
            entry.value = value;
            unlink(entry);
            linkFirst(entry);
            return;
        }
        if (entries.size() == capacity) {
            Entry<K, V> evicted = oldest;
            unlink(evicted);
            entries.remove(evicted.key); // defect evicted: entries.remove(key);
        }
        entry = new Entry<>(key, value);
        entries.put(key, entry);
        linkFirst(entry);
        assert entries.size() <= capacity;
    }

    public boolean remove(K key) {
        Entry<K, V> entry = entries.remove(key);
        if (entry == null) {
            return false;
        }
        unlink(entry);
        return true;
    }

    public int size() {
        return entries.size();
    }

    private void linkFirst(Entry<K, V> entry) {
        entry.older = newest;
        entry.newer = null;
        if (newest == null) {
            oldest = entry;
        } else {
            newest.newer = entry; // defect unlinked:
        }
        newest = entry;
    }

    private void unlink(Entry<K, V> entry) {
        if (entry == newest) {
            newest = entry.older;
        } else {
            entry.newer.older = entry.older;
        }
        if (entry == oldest) {
            oldest = entry.newer;
        } else {
            entry.older.newer = entry.newer;
        }
    }
}
