// Static fields lead to objects through collections of the JDK, and to objects of the JDK. Brute force makes objects of its own.
// scope: 1
// domain: int 0 1
// wide: Integer
// goes-wrong: inList inMap inOptional empty one output
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

public class InCollections {
    static class Node { }

    static final List<Node> ALL = new ArrayList<>(List.of(new Node()));
    static final Map<String, Node> TABLE = new HashMap<>(Map.of("a", new Node()));
    static final Optional<Node> SOME = Optional.of(new Node());

    public static void inList(Node given) {
        assert given != ALL.get(0);
    }

    public static void inMap(Node given) {
        assert given != TABLE.get("a");
    }

    public static void inOptional(Node given) {
        assert given != SOME.get();
    }

    public static void empty(Optional<Node> given) {
        assert given != Optional.<Node>empty();
    }

    public static void one(BigInteger given) {
        assert given != BigInteger.ONE;
    }

    public static void output(Object given) {
        assert given != System.out;
    }

    public static void made(Node given) {
        assert given != new Node();
    }

    public static void madeList(Object given) {
        assert given != new ArrayList<Node>();
    }
}
