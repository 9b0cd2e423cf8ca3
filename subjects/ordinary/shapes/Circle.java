package ordinary.shapes;

/** The area is rounded down. */
public record Circle(int radius) implements Shape {
    public Circle {
        if (radius < 0 || radius > 10_000) {
            throw new IllegalArgumentException("radius: " + radius);
        }
    }

    @Override
    public long area() {
        return 355L * radius * radius / 113;
    }
}
