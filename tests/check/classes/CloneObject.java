// Checks clone of an object of an unknown class, and writes to the copy.
// target: CloneObject.run
// scope: 2
// domain: int 0..1
public class CloneObject {
    static class Shape implements Cloneable {
        int n;
        Shape part;

        Shape copy() throws CloneNotSupportedException {
            return (Shape) super.clone();
        }
    }

    static class Round extends Shape {
        int r;
    }

    static int run(Shape shape) throws CloneNotSupportedException {
        Shape copy = shape.copy();
        copy.n = 3;
        if (copy.part != null) {
            copy.part.n++;
        }
        return copy instanceof Round ? ((Round) copy).r : shape.n;
    }
}
