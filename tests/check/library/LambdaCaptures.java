// Checks that a lambda keeps an input.
// target: LambdaCaptures.apply
// scope: 1
// domain: int -1..2
public class LambdaCaptures {
    static class Cell {
        int value;
    }

    static int apply(Cell cell, int limit) {
        java.util.function.IntUnaryOperator add = x -> x + cell.value;
        int once = add.applyAsInt(limit);
        return once > 1 ? add.applyAsInt(once) : limit;
    }
}
