// Functions of floating-point numbers: those that IEEE 754 fixes to the last bit, those that look at bits, and those that only facts bound.
// domain: double NaN -0.0 0.0 0.5 -0.5 1.5 2.5 0.49999999999999994 1.0 -1.0 2.0 Infinity; float NaN -0.0 0.5 64.0 Infinity
public class Functions {
    /** Right: a root is not negative. */
    public static void root(double x) {
        if (x >= 0) {
            assert Math.sqrt(x) >= 0;
        }
    }

    /** Wrong: a root may be greater than its number. */
    public static void rootIsSmaller(double x) {
        assert !(Math.sqrt(x) > x);
    }

    /** Right: a number lies between its floor and its ceiling, and so does its nearest integer. */
    public static void between(double x) {
        if (x == x) {
            assert Math.floor(x) <= x && x <= Math.ceil(x);
            assert Math.floor(x) <= Math.rint(x) && Math.rint(x) <= Math.ceil(x);
        }
    }

    /** Wrong: halves are rounded up by one and to even by the other. */
    public static void halves(double x) {
        if (x > 0 && x < 100) {
            assert Math.round(x) == (long) Math.rint(x);
        }
    }

    /** Right: the number before one half is rounded down. */
    public static void beforeHalf(double x) {
        if (x > 0 && x < 0.5) {
            assert Math.round(x) == 0;
        }
    }

    /** Right: the lesser is not above the greater. */
    public static void extremes(double a, double b) {
        if (a == a && b == b) {
            assert Math.min(a, b) <= Math.max(a, b);
        }
    }

    /** Wrong: zeros are equal, and have an order. */
    public static void order(double a, double b) {
        if (a == b) {
            assert Double.compare(a, b) == 0;
        }
    }

    /** Right: what has no order is equal or NaN. */
    public static void orderOfEqual(double a, double b) {
        if (Double.compare(a, b) == 0) {
            assert a == b || a != a && b != b;
        }
    }

    /** Wrong: 64 has the exponent 6. */
    public static void exponent(float x) {
        if (x > 1 && x < 100) {
            assert Math.getExponent(x) <= 5;
        }
    }

    /** Right: bits and number belong together. */
    public static void bits(double x) {
        if (x == x) {
            assert Double.longBitsToDouble(Double.doubleToLongBits(x)) == x;
        }
    }

    /** Right: by its range. */
    public static void sine(double x) {
        double sine = Math.sin(x);
        assert sine >= -1 && sine <= 1 || sine != sine;
    }

    /** Wrong: an infinity has no sine. */
    public static void sineOfAll(double x) {
        if (x == x) {
            assert Math.sin(x) <= 1;
        }
    }

    /** Right: it rises. */
    public static void exponential(double x) {
        if (x >= 1) {
            assert Math.exp(x) > 2.7;
        }
    }

    /** Wrong: by one. */
    public static void exponentialOfLess(double x) {
        if (x >= 0.5) {
            assert Math.exp(x) > 2.7;
        }
    }

    /** Right: squares of numbers above two are above three. */
    public static void square(double x) {
        if (x >= 2) {
            assert Math.pow(x, 2) > 3;
        }
    }

    /** Wrong: the square of 64 is one more. */
    public static void lessByOne(float x) {
        if (x >= 0.5 && x < 100) {
            assert Math.fma(x, x, -1f) != 4095f;
        }
    }

    /** Right: a product and a sum of numbers above one are above two. */
    public static void fused(double x) {
        if (x >= 1) {
            assert Math.fma(x, x, 1.0) >= 2;
        }
    }

    /** Wrong: an infinity less an infinity is no number. */
    public static void fusedOfAll(double x) {
        if (x >= 1) {
            assert Math.fma(x, 2.0, -x) >= 0;
        }
    }

    /** Wrong: 64 is 4 above a multiple of 10. */
    public static void rest(float x) {
        if (x > 1 && x < 100) {
            assert x % 10f != 4f;
        }
    }
}
