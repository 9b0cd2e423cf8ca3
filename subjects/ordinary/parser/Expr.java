package ordinary.parser;

/** An expression as a tree. */
public sealed interface Expr {
    record Const(int value) implements Expr {}

    record Var(String name) implements Expr {}

    record Sum(Expr left, Expr right) implements Expr {}

    record Negation(Expr operand) implements Expr {}
}
