// Checks a virtual call: each class that overrides, and one that inherits.
// target: VirtualCall.area
// scope: 1
// domain: int -1..1
public class VirtualCall {
    abstract static class Shape {
        int size;

        int area() {
            return size;
        }
    }

    static class Square extends Shape {
        @Override
        int area() {
            return size * size;
        }
    }

    static class Circle extends Shape {
        @Override
        int area() {
            if (size < 0) {
                throw new IllegalStateException("negative");
            }
            return 3 * super.area();
        }
    }

    static class Dot extends Shape {}

    static int area(Shape shape) {
        return shape.area();
    }
}
