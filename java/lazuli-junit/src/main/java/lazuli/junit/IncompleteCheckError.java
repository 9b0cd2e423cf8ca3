package lazuli.junit;

/** Not all inputs could be tried, and none was found that fails. */
public final class IncompleteCheckError extends AssertionError {
    private static final long serialVersionUID = 1;

    IncompleteCheckError(String message) {
        super(message);
    }
}
