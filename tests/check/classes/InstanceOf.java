// Checks that the class of an input is asked step by step.
// target: InstanceOf.name
// scope: 1
public class InstanceOf {
    abstract static class Shape {}

    static class Circle extends Shape {}

    static class Square extends Shape {}

    static class BlueSquare extends Square {}

    static int name(Shape shape) {
        if (shape instanceof Circle) {
            return 1;
        }
        if (shape instanceof Square) {
            return shape instanceof BlueSquare ? 3 : 2;
        }
        return 0;
    }
}
