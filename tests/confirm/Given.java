import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Faults whose inputs are exceptions of the JDK, and faults that do not depend on an order which differs from run to run. */
public class Given {
    static final Map<String, Integer> PRICES = new HashMap<>(Map.of("a", 1, "b", 2, "c", 3));
    static final Set<String> NAMES = new HashSet<>(Set.of("x", "y"));

    public static void any(Exception given) {
        assert given == null;
    }

    public static void rethrown(RuntimeException given, int number) {
        if (given != null && number == 3) {
            assert given.getCause() == given;
        }
    }

    public static void priced(int number) {
        assert PRICES.get("a") + number != 5;
    }

    public static int summed(int number) {
        int sum = number;
        for (int price : PRICES.values()) {
            sum += price;
        }
        assert sum != 9;
        return sum;
    }

    public static void named(int number) {
        assert !NAMES.contains("x") || number != 4;
    }

    /** Depends on it. */
    public static void first(int number) {
        assert !Set.of("x", "y", "z").iterator().next().equals("x") || number != 4;
    }
}
