// A sealed interface has no other classes, and records are objects like others.
// scope: 1
// objects: 3
// domain: int 0 1
public class SealedOnes {
    sealed interface Term permits Constant, Negated { }

    record Constant(int value) implements Term { }

    record Negated(Term of) implements Term { }

    Term term;

    boolean repOK() {
        return term != null;
    }

    public void value() {
        assert !(term instanceof Constant c) || c.value() != 1;
    }

    public void inner() {
        assert !(term instanceof Negated n) || n.of() != null;
    }

    public void isOneOfThem() {
        assert term instanceof Constant || term instanceof Negated;
    }

    public void equalTo(Term given) {
        if (given instanceof Constant c && c.equals(term)) {
            term = null;
        }
    }
}
