// Linked lists, deques, sorted maps and sets, optional values: what is empty has no first element.
// scope: 2
// domain: int 0 7; string a
// complete: precise precise-search precise-list precise-circuit-list precise-circuit lazier lazier-sharp hybrid bounded refined sat sat-cached eager lissa
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedList;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

public class Others {
    public static int firstKey(TreeMap<Integer, Integer> map) {
        return map == null ? 0 : map.firstKey();
    }

    public static int firstValue(TreeMap<Integer, Integer> map) {
        return map == null || map.isEmpty() ? 0 : map.firstEntry().getValue();
    }

    public static void ascending(SortedMap<Integer, Integer> map) {
        if (map != null && map.size() == 2) {
            assert map.firstKey() < map.lastKey();
        }
    }

    public static void descending(TreeSet<Integer> set) {
        if (set != null && set.size() == 2) {
            assert set.first() != 0 || set.last() != 7;
        }
    }

    public static Integer optional(Optional<Integer> value) {
        return value == null ? null : value.get();
    }

    public static Integer present(Optional<Integer> value) {
        return value == null || value.isEmpty() ? null : value.get();
    }

    public static int pop(Deque<Integer> deque) {
        return deque == null ? 0 : deque.pop();
    }

    public static int poll(Queue<Integer> queue) {
        Integer first = queue == null ? null : queue.poll();
        return first == null ? 0 : first;
    }

    public static Integer removeFirst(LinkedList<Integer> list) {
        return list == null ? null : list.removeFirst();
    }

    public static int walk(Collection<Integer> all) {
        int sum = 0;
        if (all != null) {
            for (Integer each : all) {
                sum += each;
            }
        }
        return sum;
    }
}
