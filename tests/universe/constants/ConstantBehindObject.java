// A constant behind a wide type is known as one of an interface later.
// scope: 1
// domain: int 0 1
// wide: Integer
public class ConstantBehindObject {
    interface Shape {
        int sides();
    }

    record Square() implements Shape {
        public int sides() {
            return 4;
        }
    }

    enum Basic implements Shape {
        LINE, POINT;

        public int sides() {
            return ordinal();
        }
    }

    public static int asked(Object given) {
        return given instanceof Shape shape ? 12 / shape.sides() : 0;
    }
}
