package ordinary.shapes;

/** Something with an area. */
public sealed interface Shape permits Circle, Rectangle, Group {
    long area();

    default boolean isLargerThan(Shape other) {
        return area() > other.area();
    }
}
