package lazuli.junit;

/** The check could not be asked for, or Lazuli could not be run. The message says what to do. */
public final class NotCheckedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotCheckedException(String message) {
        super(message);
    }

    NotCheckedException(String message, Throwable cause) {
        super(message, cause);
    }
}
