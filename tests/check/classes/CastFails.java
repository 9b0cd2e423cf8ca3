// Checks a cast: null passes, another class does not.
// target: CastFails.radius
// scope: 1
// domain: int 0..1
public class CastFails {
    static class Shape {
        int id;
    }

    static class Circle extends Shape {
        int radius;
    }

    static class Square extends Shape {
        int side;
    }

    static int radius(Shape shape) {
        Circle circle = (Circle) shape;
        return circle.radius + shape.id;
    }
}
