// Measures put, get and remove on a HashMap<Integer, Integer>; the argument is the number of operations in thousands.
import java.util.HashMap;
import java.util.Map;

public class HashMapChurn {
    public static void main(String[] args) {
        int thousands = args.length > 0 ? Integer.parseInt(args[0]) : 1400;
        Map<Integer, Integer> map = new HashMap<>();
        int x = 12345;
        long sum = 0;
        for (int i = 0; i < thousands * 1000; i++) {
            x = x * 1103515245 + 12345;
            int key = x >>> 16 & 0x3fff;
            switch (x >>> 30) {
                case 0, 1 -> {
                    Integer old = map.put(key, i);
                    if (old != null) {
                        sum += old;
                    }
                }
                case 2 -> {
                    Integer v = map.get(key);
                    sum += v == null ? 1 : v;
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
        System.out.println("HashMapChurn " + thousands + " " + map.size() + " " + sum);
    }
}
