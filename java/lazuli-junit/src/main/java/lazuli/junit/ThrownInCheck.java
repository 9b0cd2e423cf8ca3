package lazuli.junit;

/** Anything that a checked method throws is a failure, also where the same exception would be a deliberate answer of other code. */
public final class ThrownInCheck extends AssertionError {
    private static final long serialVersionUID = 1;

    /** Without a message: making one would look into texts that are not known yet. */
    public ThrownInCheck(Throwable cause) {
        super(null, cause);
    }
}
