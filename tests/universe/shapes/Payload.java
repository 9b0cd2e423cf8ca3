// Interfaces, records and constants.
// shapes: yes
// scope: 1
// domain: int 0 1
public class Payload {
    sealed interface Shape permits Dot, Pair { }

    record Dot(int n) implements Shape { }

    record Pair(Dot left, Dot right) implements Shape { }

    Shape shape;

    boolean repOK() {
        if (shape instanceof Pair pair) {
            return pair.left() == pair.right() || pair.left() == null && pair.right() != null;
        }
        return shape != null;
    }
}
