package lazuli;

/**
 * Says what Lazuli cannot see from a method's parameters: values that may be anything, conditions that may be assumed,
 * and conditions that must hold. Copy this file into your project, or put its directory on the source path.
 *
 * <p>{@code lazuli check} gives these methods their meaning. In any other run, {@code any…} returns the values that
 * {@code choose} was given, and throws when there are no more; {@code assume} throws if its condition is false, and {@code check}
 * works like an assertion that is always on.
 */
public final class Lazuli {
    private static Object[] values = {};
    private static int next;

    private Lazuli() {}

    /**
     * Has {@code any…} return these values, one after the other: for tests that do again what {@code lazuli check} found. Numbers of
     * every type are given as numbers, and truth values as 0 and 1.
     */
    public static void choose(Object... chosen) {
        values = chosen;
        next = 0;
    }

    public static boolean anyBoolean() { return number().intValue() != 0; }

    public static byte anyByte() { return number().byteValue(); }

    public static char anyChar() { return (char) number().intValue(); }

    public static short anyShort() { return number().shortValue(); }

    public static int anyInt() { return number().intValue(); }

    public static long anyLong() { return number().longValue(); }

    public static float anyFloat() { return number().floatValue(); }

    public static double anyDouble() { return number().doubleValue(); }

    /** Any string, or null. */
    public static String anyString() { return (String) chosen(); }

    /**
     * Any input object of that class or a subclass that its {@code repOK()} calls valid, or null. It may be one that a parameter or another input refers to.
     */
    public static <T> T any(Class<T> type) { return valid(anyUnchecked(type)); }

    /** The same, but never null. */
    public static <T> T anyNonNull(Class<T> type) { return valid(anyUncheckedNonNull(type)); }

    /** Any input object of that class or a subclass, valid or not, or null. */
    public static <T> T anyUnchecked(Class<T> type) { return type.cast(chosen()); }

    private static <T> T anyUncheckedNonNull(Class<T> type) { return type.cast(chosen()); }

    private static <T> T valid(T object) {
        boolean isValid = false;
        try {
            isValid = object == null || isValid(object);
        } catch (RuntimeException failed) {
            // An invariant that throws says no.
        }
        assume(isValid);
        return object;
    }

    /** {@code lazuli check} asks the object; in any other run, it was chosen so. */
    private static boolean isValid(Object object) { return true; }

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

    private static Number number() {
        return (Number) chosen();
    }

    private static Object chosen() {
        if (next >= values.length) {
            throw outside();
        }
        return values[next++];
    }

    private static IllegalStateException outside() {
        return new IllegalStateException("only `lazuli check` can give any value; call this method with a value of your own");
    }
}
