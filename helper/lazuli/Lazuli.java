package lazuli;

/**
 * Says what Lazuli cannot see from a method's parameters: values that may be anything, conditions that may be assumed,
 * and conditions that must hold. Copy this file into your project, or put its directory on the source path.
 *
 * <p>{@code lazuli check} gives these methods their meaning. In any other run, {@code any…} throws, {@code assume} throws
 * if its condition is false, and {@code check} works like an assertion that is always on.
 */
public final class Lazuli {
    private Lazuli() {}

    public static boolean anyBoolean() { throw outside(); }

    public static byte anyByte() { throw outside(); }

    public static char anyChar() { throw outside(); }

    public static short anyShort() { throw outside(); }

    public static int anyInt() { throw outside(); }

    public static long anyLong() { throw outside(); }

    public static float anyFloat() { throw outside(); }

    public static double anyDouble() { throw outside(); }

    /** Any string, or null. */
    public static String anyString() { throw outside(); }

    /** Any input object of that class or a subclass, or null. It may be one that a parameter or another input refers to. */
    public static <T> T any(Class<T> type) { throw outside(); }

    /** The same, but never null. */
    public static <T> T anyNonNull(Class<T> type) { throw outside(); }

    /** An int between two values, both included. */
    public static int anyInt(int least, int greatest) {
        int value = anyInt();
        assume(least <= value && value <= greatest);
        return value;
    }

    /** What follows only matters if the condition holds. */
    public static void assume(boolean condition) {
        if (!condition) {
            throw new IllegalStateException("an assumption does not hold");
        }
    }

    /**
     * Is it decided what a field of an input holds? For methods that say of inputs which are known in part whether they may become
     * valid (`--hybrid-invariant`). In a running program everything is.
     */
    public static boolean isKnown(Object object, String field) {
        return true;
    }

    /** The condition must hold. */
    public static void check(boolean condition) {
        if (!condition) {
            throw new AssertionError();
        }
    }

    /** The condition must hold; the message says what it means. */
    public static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    private static IllegalStateException outside() {
        return new IllegalStateException("only `lazuli check` can give any value; call this method with a value of your own");
    }
}
