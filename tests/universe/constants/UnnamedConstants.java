// Constants of an enumeration are behind an interface, and in collections, though no code names them.
// scope: 2
// domain: int 0 1
// complete: precise
import java.util.List;
import java.util.Optional;

public class UnnamedConstants {
    interface Shape {
        int sides();
    }

    record Square() implements Shape {
        public int sides() {
            return 4;
        }
    }

    enum Basic implements Shape {
        LINE, POINT {
            public int sides() {
                return 0;
            }
        };

        public int sides() {
            return 2;
        }
    }

    enum Colour {
        RED, BLUE;

        int weight() {
            return ordinal();
        }
    }

    Shape shape;

    public int own() {
        return shape == null ? 0 : 12 / shape.sides();
    }

    public static int passed(Shape given) {
        return given == null ? 0 : 12 / given.sides();
    }

    public static int element(Shape[] given) {
        return given == null || given.length == 0 || given[0] == null ? 0 : 12 / given[0].sides();
    }

    public static int listed(List<Colour> given) {
        return given == null || given.isEmpty() || given.get(0) == null ? 0 : 10 / given.get(0).weight();
    }

    public static int optional(Optional<Colour> given) {
        return given == null ? 0 : given.map(colour -> 10 / colour.weight()).orElse(1);
    }

    public static int shapes(List<Shape> given) {
        return given == null || given.isEmpty() || given.get(0) == null ? 0 : 12 / given.get(0).sides();
    }
}
