// Checks null handling: a default instead, and an exception with requireNonNull.
// target: NullDefault.pick
// scope: 2
// domain: int 0..1
public class NullDefault {
    static class Cell {
        int value;
    }

    Cell fallback;

    Cell pick(Cell wanted) {
        if (wanted != null && wanted.value > 0) {
            return wanted;
        }
        return java.util.Objects.requireNonNull(fallback, "no fallback");
    }
}
