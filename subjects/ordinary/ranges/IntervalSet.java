// defect outside, missing null check: IntervalSet.contains throws NullPointerException
//     new IntervalSet().contains(3);
// defect merged, wrong comparison: IntervalSet.add breaks invariant
//     IntervalSet set = new IntervalSet();
//     set.add(1, 3);
//     set.add(3, 5);
//     assert set.repOK();
package ordinary.ranges;

import java.util.Map;
import java.util.TreeMap;

/** Numbers as ranges that do not touch: from each begin, up to and without the end. */
public class IntervalSet {
    private final TreeMap<Integer, Integer> ends = new TreeMap<>();

    public boolean repOK() {
        Integer last = null;
        for (Map.Entry<Integer, Integer> range : ends.entrySet()) {
            if (range.getKey() >= range.getValue() || last != null && range.getKey() <= last) {
                return false;
            }
            last = range.getValue();
        }
        return true;
    }

    public void add(int from, int to) {
        if (from >= to) {
            throw new IllegalArgumentException(from + ".." + to);
        }
        Map.Entry<Integer, Integer> before = ends.floorEntry(from);
        if (before != null && before.getValue() >= from) { // defect merged: if (before != null && before.getValue() > from) {
            from = before.getKey();
            to = Math.max(to, before.getValue());
        }
        Map.Entry<Integer, Integer> next = ends.ceilingEntry(from);
        while (next != null && next.getKey() <= to) {
            to = Math.max(to, next.getValue());
            ends.remove(next.getKey());
            next = ends.ceilingEntry(from);
        }
        ends.put(from, to);
    }

    public boolean contains(int number) {
        Map.Entry<Integer, Integer> range = ends.floorEntry(number);
        return range != null && number < range.getValue(); // defect outside: return number < range.getValue();
    }

    public int ranges() {
        return ends.size();
    }

    public long count() {
        long count = 0;
        for (Map.Entry<Integer, Integer> range : ends.entrySet()) {
            count += (long) range.getValue() - range.getKey();
        }
        return count;
    }
}
