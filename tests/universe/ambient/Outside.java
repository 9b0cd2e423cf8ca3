// Chance, time, environment and identity are inputs too. Few runs show it: that each goes wrong is known. Where one value would show it by luck,
// a second method asks for the opposite.
// scope: 1
// goes-wrong: chance shared uuid otherUuid clock millis today variable noVariable processors memory identity otherIdentity order mapOrder
import java.util.concurrent.ThreadLocalRandom;

public class Outside {
    public static void chance() {
        assert new java.util.Random().nextInt(6) != 3;
    }

    public static void shared() {
        assert ThreadLocalRandom.current().nextInt(4) != 2;
    }

    public static void uuid() {
        assert java.util.UUID.randomUUID().getLeastSignificantBits() % 2 == 0;
    }

    public static void otherUuid() {
        assert java.util.UUID.randomUUID().getLeastSignificantBits() % 2 != 0;
    }

    public static void clock() {
        assert System.nanoTime() % 3 != 1;
    }

    public static void millis() {
        assert System.currentTimeMillis() % 2 != 0;
    }

    public static void today() {
        assert java.time.LocalDate.now().getMonthValue() != 2;
    }

    public static void variable() {
        assert System.getenv("PATH") != null;
    }

    public static void noVariable() {
        assert System.getenv("PATH") == null;
    }

    public static void processors() {
        assert Runtime.getRuntime().availableProcessors() < 3;
    }

    public static void memory() {
        assert Runtime.getRuntime().freeMemory() % 2 == 0;
    }

    public static void identity() {
        assert System.identityHashCode(new Object()) % 2 == 0;
    }

    public static void otherIdentity() {
        assert System.identityHashCode(new Object()) % 2 != 0;
    }

    public static void order() {
        assert java.util.Set.of("x", "y").iterator().next().equals("x");
    }

    public static void mapOrder() {
        assert java.util.Map.of("x", 1, "y", 2).keySet().iterator().next().equals("y");
    }

    public static void seeded() {
        assert new java.util.Random(42).nextInt(10) == 0;
    }
}
