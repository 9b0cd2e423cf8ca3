package lazuli.junit;

import org.opentest4j.AssertionFailedError;

/** An input makes the method fail. The cause is what the method threw when it was run on that input, here. */
public final class CheckFailedError extends AssertionFailedError {
    private static final long serialVersionUID = 1;

    CheckFailedError(String message, Throwable cause) {
        super(message, cause);
    }
}
