// calls: 4
// ints: 1 2
// A list that is handed out may be emptied by the caller; a copy, or a view that refuses changes, protects.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class Emptied {
    private final List<Integer> items = new ArrayList<>();
    private final List<Integer> copied = new ArrayList<>();
    private final List<Integer> viewed = new ArrayList<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private int size;

    void add(int item) {
        items.add(item);
        copied.add(item);
        viewed.add(item);
        counts.merge(item, 1, Integer::sum);
        size++;
    }

    List<Integer> items() {
        return items;
    }

    List<Integer> copied() {
        return new ArrayList<>(copied);
    }

    List<Integer> viewed() {
        return Collections.unmodifiableList(viewed);
    }

    Map<Integer, Integer> counts() {
        return counts;
    }

    int checkItems() {
        return size == 0 ? 0 : items.get(size - 1);
    }

    int checkCopied() {
        return size == 0 ? 0 : copied.get(size - 1);
    }

    int checkViewed() {
        return size == 0 ? 0 : viewed.get(size - 1);
    }

    int checkCounts() {
        return items.isEmpty() ? 0 : counts.get(items.get(0));
    }
}
