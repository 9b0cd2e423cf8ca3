// A constant of an enumeration may be behind an interface of the class path.
// scope: 1
// domain: int 0 1
// wide: Integer
public class ConstantBehindInterface {
    interface Face { }

    enum Colour implements Face { RED, GREEN }

    static class Plain implements Face { }

    Face face;

    public void own() {
        assert face != Colour.RED;
    }

    public static void constant(Face given) {
        assert given != Colour.RED;
    }

    public static void both(Face given, Colour colour) {
        assert colour == null || given != colour;
    }

    public static void element(Face[] given) {
        assert given == null || given.length == 0 || given[0] != Colour.GREEN;
    }
}
