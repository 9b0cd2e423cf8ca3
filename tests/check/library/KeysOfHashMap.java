// Checks that three unknown keys of a HashMap, looked up by a fourth, have a path for each way in which they are equal, and none for hash codes.
// target: KeysOfHashMap.run
// scope: 1
// domain: int 0 1 16 65537
import java.util.HashMap;
import java.util.Map;

public class KeysOfHashMap {
    static int run(int a, int b, int c, int d) {
        Map<Integer, Integer> map = new HashMap<>();
        map.put(a, 1);
        map.put(b, 2);
        map.put(c, 3);
        Integer found = map.get(d);
        return found == null ? -map.size() : found;
    }
}
