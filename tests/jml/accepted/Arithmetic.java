// Checks that numbers are those of Java: types are promoted, and overflow wraps around.
//! check --scope 1: ints, longs, chars, floats, shifts
public class Arithmetic {
    //@ ensures \result == -x && ~x == -x - 1 && +x == x;
    //@ ensures x + 1 - 1 == x && (x > 0 ==> x * 2 / 2 == x || x > 1073741823);
    //@ ensures Integer.MAX_VALUE + 1 == Integer.MIN_VALUE;
    public static int ints(int x) {
        return -x;
    }

    //@ requires -100 < x && x < 100;
    //@ ensures \result == x * 3000000000L && (int) \result == (int) (x * 3000000000L) && 7L % 4 == 3;
    public static long longs(int x) {
        return x * 3_000_000_000L;
    }

    //@ ensures \result == (char) (c + 1) && (c == 'a' ==> \result == 'b') && '\n' == 10 && 'A' == 65;
    public static char chars(char c) {
        return (char) (c + 1);
    }

    //@ requires 0.0 <= x && x < 10.0;
    //@ ensures \result == x / 2 && 0.1f + 0.2f > 0.3f - 1 && 1 / 2.0 == 0.5 && !(0.0 / 0.0 == 0.0 / 0.0);
    public static double floats(double x) {
        return x / 2;
    }

    //@ ensures \result == (x << 3 ^ x >>> 2 | x >> 1 & 0xff) && 1L << 40 == 1099511627776L;
    public static int shifts(int x) {
        return x << 3 ^ x >>> 2 | x >> 1 & 0xff;
    }
}
