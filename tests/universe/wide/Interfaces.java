// A place of an own interface may hold objects of all classes that implement it, and of some other class.
// scope: 1
// objects: 3
// domain: int 0 4
// wide: String int[]
public class Interfaces {
    interface Shape {
        int area();
    }

    static class Square implements Shape {
        int side;

        public int area() {
            return side * side;
        }
    }

    static abstract class Based implements Shape {
        int base;
    }

    static class Flat extends Based {
        public int area() {
            return -base;
        }
    }

    Shape shape;

    boolean repOK() {
        return shape == null || !(shape instanceof Square) || ((Square) shape).side >= 0 && ((Square) shape).side <= 9;
    }

    public void area() {
        assert shape == null || shape.area() >= 0;
    }

    public void onlySquares() {
        assert !(shape instanceof Square) || shape.area() >= 0;
    }

    public void isKnown() {
        assert shape == null || shape instanceof Square || shape instanceof Based;
    }

    public static void based(Shape given) {
        assert !(given instanceof Based b) || b.area() == 0;
    }

    public static void same(Shape one, Object other) {
        if (one != null && one == other) {
            throw new AssertionError();
        }
    }
}
