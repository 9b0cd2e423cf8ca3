// Checks a TreeMap with unknown keys.
// target: MapOfKeys.run
// scope: 1
// domain: int -101 -1..1 101
public class MapOfKeys {
    static int run(int a, int b, int c) {
        if (Math.min(a, Math.min(b, c)) < -100 || Math.max(a, Math.max(b, c)) > 100) {
            return -1;
        }
        java.util.Map<Integer, Integer> map = new java.util.TreeMap<>();
        map.put(a, 1);
        map.put(b, 2);
        Integer found = map.get(c);
        return found == null ? map.size() : found * 10;
    }
}
