// A method that subclasses override.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Shapes {
    static class Shape {
        int corners() {
            return 0;
        }
    }

    static class Square extends Shape {
        int corners() { // wrong: int corners(int more) {
            return 4;
        }
    }

    public static void main(String[] args) {
        int kind = Verifier.nondetInt();
        Shape shape = kind == 0 ? new Shape() : new Square();
        assert shape.corners() == (kind == 0 ? 0 : 4);
    }
}
