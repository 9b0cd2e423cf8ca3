package org.sosy_lab.sv_benchmarks;

/** Gives every sequence of values of a small domain, one sequence for each run. */
public final class Verifier {
    /** Thrown where an assumption does not hold, and where a run asks for too many values. */
    public static final class Dropped extends Error {}

    /** The values as they are written. */
    public static String[] values = {};
    /** The choices of this run, and how many of them were made. */
    public static final java.util.ArrayList<Integer> choices = new java.util.ArrayList<>();
    public static int next;

    private static final int MOST = 4;

    private Verifier() {}

    /** Goes on to the next sequence. False if there is none. */
    public static boolean advance() {
        while (choices.size() > next) {
            choices.remove(choices.size() - 1);
        }
        next = 0;
        while (!choices.isEmpty()) {
            int last = choices.remove(choices.size() - 1) + 1;
            if (last < values.length) {
                choices.add(last);
                return true;
            }
        }
        return false;
    }

    private static String value() {
        if (next == MOST) {
            throw new Dropped();
        }
        if (next == choices.size()) {
            choices.add(0);
        }
        return values[choices.get(next++)];
    }

    public static void assume(boolean condition) {
        if (!condition) {
            throw new Dropped();
        }
    }

    public static boolean nondetBoolean() { return !value().equals("0"); }
    public static int nondetInt() { return Integer.parseInt(value()); }
    public static float nondetFloat() { return Float.parseFloat(value()); }
    public static double nondetDouble() { return Double.parseDouble(value()); }
    public static String nondetString() { return value().replace("\"", ""); }
}
