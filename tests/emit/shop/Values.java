package shop;

/** Parameters of all kinds, and results of all kinds. */
public class Values {
    enum Colour {
        RED,
        GREEN {
            @Override
            boolean isWarm() {
                return false;
            }
        };

        boolean isWarm() {
            return true;
        }
    }

    record Point(int x, int y) {
        Point {
            if (x < 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    interface Sized {
        int size();
    }

    static class Fixed implements Sized {
        protected int size;

        public int size() {
            return size;
        }
    }

    class Inner {
        int extra;

        int sum() {
            return extra + own;
        }
    }

    static int limit;
    static int calls = 5;
    static Object[] last;
    int own;

    /** The class of the result has no name in the source. */
    static java.util.function.IntSupplier later(int value) {
        return () -> value;
    }

    static double half(double value) {
        if (value != value) {
            return -0.0;
        }
        if (value == Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        return value > 1e300 ? Double.NaN : 0.5;
    }

    static float fraction(float value) {
        return value < 0 ? Float.MIN_VALUE : 1f;
    }

    static char shout(char letter, byte times, short width, long far) {
        if (letter == '\'' || letter == '\\' || letter == '\u0000') {
            return '"';
        }
        if (times == Byte.MIN_VALUE && width == -1) {
            return '\uffff';
        }
        return far == Long.MIN_VALUE ? '\n' : letter;
    }

    static String greet(String name) {
        if (name.length() == 2 && name.charAt(0) == '"' && name.charAt(1) == '\\') {
            return "odd\n\u00e9\u0001";
        }
        return name.isEmpty() ? "" : name + "!";
    }

    static boolean isLiteral(String text) {
        return text == "a" || "b".equals(text);
    }

    static Integer next(Integer number) {
        if (number == 127) {
            return number;
        }
        return number == 1000 ? 1001 : null;
    }

    static int warmth(Colour colour) {
        return switch (colour) {
            case RED -> 10;
            case GREEN -> colour.isWarm() ? 5 : 1;
        };
    }

    static Colour other(Colour colour) {
        return colour == Colour.RED ? Colour.GREEN : Colour.RED;
    }

    static int[] sums(int[][] rows) {
        int[] sums = new int[rows.length];
        for (int i = 0; i < rows.length; i++) {
            for (int value : rows[i]) {
                sums[i] += value;
            }
        }
        return sums;
    }

    static long across(Point point) {
        return point.x() == 3 ? (long) point.x() + point.y() : 0;
    }

    static int sizeOf(Sized sized) {
        return sized instanceof Fixed && sized.size() > 2 ? sized.size() : 0;
    }

    static int total(Inner inner) {
        return inner.sum() == 7 ? 1 : 0;
    }

    static boolean isBeyond(int value) {
        calls++;
        return value > limit && calls == 6;
    }

    static Object keep(Object... values) {
        last = values;
        return values == null || values.length == 0 ? null : values[0];
    }

    static String pick(Object value, String text) {
        return "object";
    }

    static String pick(String value, Object text) {
        return value == null ? "none" : "text";
    }

    static void check(int value) throws java.io.IOException {
        if (value < 0) {
            throw new java.io.IOException("negative");
        }
    }

    static <T extends Comparable<T>> T larger(T one, T other) {
        return one == null ? other : one;
    }

    Values self(Values other) {
        return other == this ? this : new Values();
    }
}
