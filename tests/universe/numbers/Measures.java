// Fields and arguments that are floating-point numbers: what the invariant says about them, sums that round, zeros with a sign, NaN.
// scope: 2
// unconfirmed: zero
// domain: double NaN -0.0 0.0 0.1 0.2 1.5 Infinity; float NaN -0.0 0.5 16777216.0; int 0 3 16777217
public class Measures {
    static class Cell {
        double weight;
        Cell next;
    }

    Cell first;
    float scale;

    boolean repOK() {
        return scale >= 0 && (first == null || first.weight >= 0 && first.weight < 2);
    }

    /** Wrong: 0.1 + 0.2 is not 0.3. */
    public void sum(double more) {
        if (first != null && first.weight == 0.1 && more == 0.2) {
            assert first.weight + more == 0.3;
        }
    }

    /** Right: the sum of two numbers that are not negative is not negative. */
    public void sign(double more) {
        if (first != null && more >= 0) {
            assert first.weight + more >= 0;
        }
    }

    /** Wrong: NaN breaks the invariant. */
    public void set(double weight) {
        if (first != null && !(weight < 0) && !(weight >= 2)) {
            first.weight = weight;
        }
    }

    /** Right: a comparison that holds excludes NaN. */
    public void setChecked(double weight) {
        if (first != null && weight >= 0 && weight < 2) {
            first.weight = weight;
        }
    }

    /** Wrong: a zero has a sign. */
    public void zero() {
        if (scale == 0) {
            assert 1 / scale > 0;
        }
    }

    /** Wrong: a float has no room for all ints. */
    public void through(int number) {
        assert (int) (float) number == number;
    }

    /** Right: a double has. */
    public void throughDouble(int number) {
        assert (int) (double) number == number;
    }

    /** Wrong: a difference of infinities. */
    public void difference(double a, double b) {
        double rest = a - b;
        if (a == b) {
            assert rest == 0;
        }
    }

    /** Right: conversions saturate, and NaN becomes zero. */
    public void converted(double a) {
        long whole = (long) a;
        assert a != a ? whole == 0 : whole >= a - 1 || a > 1e18;
    }
}
