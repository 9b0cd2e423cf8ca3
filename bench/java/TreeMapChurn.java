// Measures put, remove, floor look-ups and iteration on a TreeMap<Integer, Integer>; the argument is the number of operations in thousands.
import java.util.Map;
import java.util.TreeMap;

public class TreeMapChurn {
    public static void main(String[] args) {
        int thousands = args.length > 0 ? Integer.parseInt(args[0]) : 330;
        TreeMap<Integer, Integer> map = new TreeMap<>();
        int x = 54321;
        long sum = 0;
        for (int i = 0; i < thousands * 1000; i++) {
            x = x * 1103515245 + 12345;
            int key = x >>> 14 & 0x1fff;
            switch (x >>> 30) {
                case 0, 1 -> map.put(key, i);
                case 2 -> {
                    Map.Entry<Integer, Integer> e = map.floorEntry(key);
                    sum += e == null ? 1 : e.getKey() ^ e.getValue();
                }
                default -> {
                    Integer v = map.remove(key);
                    sum ^= v == null ? 3 : v;
                }
            }
        }
        for (Map.Entry<Integer, Integer> e : map.entrySet()) {
            sum = sum * 31 + e.getKey() + e.getValue();
        }
        System.out.println("TreeMapChurn " + thousands + " " + map.size() + " " + sum);
    }
}
