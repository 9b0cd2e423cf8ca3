// A clock of elsewhere need not go forward.
public class Clocked {
    interface Clock {
        long now();
    }

    public static long rate(Clock clock) {
        long start = clock.now();
        long end = clock.now();
        return 1000 / (end - start); //: ArithmeticException
    }

    public static long safeRate(Clock clock) {
        long start = clock.now();
        long end = clock.now();
        return end == start ? 0 : 1000 / (end - start);
    }

    public static void forward(Clock clock) {
        long start = clock.now();
        assert clock.now() >= start; //: AssertionError
    }
}
