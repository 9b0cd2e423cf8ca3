// defect variable, unboxing null: Evaluator.evaluate throws NullPointerException
//     new Evaluator().evaluate(new Expr.Var("x"));
package ordinary.parser;

import java.util.HashMap;
import java.util.Map;

/** Knows the values of variables; those that were never set are 0. */
public class Evaluator {
    private final Map<String, Integer> variables = new HashMap<>();

    public void let(String name, int value) {
        variables.put(name, value);
    }

    public int evaluate(Expr expr) {
        if (expr instanceof Expr.Const constant) {
            return constant.value();
        } else if (expr instanceof Expr.Var variable) {
            return variables.getOrDefault(variable.name(), 0); // defect variable: return variables.get(variable.name());
        } else if (expr instanceof Expr.Sum sum) {
            return evaluate(sum.left()) + evaluate(sum.right());
        } else if (expr instanceof Expr.Negation negation) {
            return -evaluate(negation.operand());
        }
        throw new IllegalArgumentException("no expression");
    }

    public int size() {
        return variables.size();
    }
}
