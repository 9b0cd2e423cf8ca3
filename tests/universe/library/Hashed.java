// Maps and sets by hash code, with few keys.
// scope: 1
// domain: int 0 7; string a
// complete: precise precise-search precise-list precise-circuit-list precise-circuit lazier lazier-sharp hybrid bounded refined sat sat-cached eager lissa
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

public class Hashed {
    public static int unboxed(Map<Integer, Integer> map) {
        return map == null ? 0 : map.get(7);
    }

    public static int value(Map<Integer, Integer> map) {
        return map == null ? 0 : map.getOrDefault(7, 0);
    }

    public static int ofAbsent(HashMap<Integer, Integer> map) {
        return map == null || !map.containsKey(7) || map.get(7) == null ? 0 : map.get(7);
    }

    public static int lists(Map<Integer, List<Integer>> map) {
        int count = 0;
        if (map != null) {
            for (List<Integer> each : map.values()) {
                count += each.size();
            }
        }
        return count;
    }

    public static void adds(Set<Integer> set) {
        if (set != null) {
            int before = set.size();
            set.add(7);
            assert set.size() == before + 1;
        }
    }

    public static void addsOnce(Set<Integer> set) {
        if (set != null) {
            set.add(7);
            int before = set.size();
            set.add(7);
            assert set.size() == before;
        }
    }
}
