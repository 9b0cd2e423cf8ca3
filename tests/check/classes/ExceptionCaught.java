// Checks exceptions that are thrown, caught by class, and passed through finally.
// target: ExceptionCaught.handle
// scope: 2
// domain: int 0..4
public class ExceptionCaught {
    int cleanups;

    static class Failure extends RuntimeException {
        final int code;

        Failure(int code) {
            this.code = code;
        }
    }

    static class Worse extends Failure {
        Worse() {
            super(3);
        }
    }

    int handle(int what) {
        try {
            if (what == 1) {
                throw new Failure(1);
            }
            if (what == 2) {
                throw new Worse();
            }
            return 10 / what;
        } catch (Worse worse) {
            throw new IllegalStateException(worse);
        } catch (Failure failure) {
            return failure.code;
        } finally {
            cleanups = 1;
        }
    }
}
