// Checks enumerations in fields, in a switch, and as keys of an EnumMap.
// target: EnumMapUse.run
// scope: 2
// domain: int 0..1
public class EnumMapUse {
    enum Level {
        LOW, HIGH;

        int weight() {
            return ordinal();
        }
    }

    Level level;
    EnumMapUse next;

    int run(Level other) {
        java.util.EnumMap<Level, Integer> counts = new java.util.EnumMap<>(Level.class);
        if (level != null) {
            counts.merge(level, 1, Integer::sum);
        }
        if (next != null && next.level != null) {
            counts.merge(next.level, 1, Integer::sum);
        }
        level = other;
        int n = counts.getOrDefault(other == null ? Level.LOW : other, 0);
        return switch (n) {
            case 0 -> -1;
            case 1 -> other == null ? 7 : other.weight();
            default -> counts.size();
        };
    }
}
