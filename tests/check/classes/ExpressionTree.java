// Checks a recursion over objects of two classes.
// target: ExpressionTree.evaluate
// scope: 2
// domain: int 0..1
public class ExpressionTree {
    interface Expression {
        int value(int depth);
    }

    static class Constant implements Expression {
        int number;

        @Override
        public int value(int depth) {
            return number;
        }
    }

    static class Negation implements Expression {
        Expression inner;

        @Override
        public int value(int depth) {
            return depth == 0 ? 99 : -inner.value(depth - 1);
        }
    }

    static int evaluate(Expression expression) {
        return expression.value(2);
    }
}
