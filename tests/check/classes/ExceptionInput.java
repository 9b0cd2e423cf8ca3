// Checks handlers for an exception that comes from outside.
// target: ExceptionInput.handle
// scope: 1
public class ExceptionInput {
    static class Base extends RuntimeException {
        int code;
    }

    static class Special extends Base {
    }

    static class Other extends RuntimeException {
    }

    static int inner(RuntimeException thrown) {
        try {
            throw thrown;
        } catch (Special special) {
            return special.code;
        } finally {
            if (thrown instanceof Other) {
                return 7;
            }
        }
    }

    static int handle(Base thrown, Other other, boolean which) {
        try {
            return inner(which ? thrown : other);
        } catch (NullPointerException missing) {
            return -2;
        } catch (Base base) {
            return base == thrown ? -1 : -3;
        }
    }
}
