// A class implements the interface, and so do lambdas and method references: the class alone does not show what its objects do.
public class Lambdas {
    interface Step {
        int next(int from);
    }

    interface Slow extends Step { }

    static class One implements Step {
        public int next(int from) {
            return from + 1;
        }
    }

    interface Shape {
        int area();
    }

    static class Square implements Shape {
        int side;

        public int area() {
            return side;
        }
    }

    static Slow back() {
        return from -> from - 1;
    }

    public Lambdas() { }

    public static void forwards(Step step) {
        assert step.next(3) > 3; //: AssertionError
    }

    public static void other(Step step) {
        if (!(step instanceof One)) {
            assert step.next(1) == 2; //: AssertionError
        }
    }

    public static void one(Step step) {
        if (step instanceof One) {
            assert step.next(3) == 4;
        }
    }

    public static void twice(Slow step) {
        assert step.next(2) == step.next(2); //: AssertionError
    }
}
