// defect inverse, division by zero: Fraction.dividedBy throws ArithmeticException
//     try {
//         new Fraction(1, 2).dividedBy(new Fraction(0, 5));
//     } catch (IllegalArgumentException rejected) {
//     }
package ordinary.algebra;

/** A fraction in lowest terms; the denominator is positive. */
public record Fraction(int numerator, int denominator) implements Comparable<Fraction> {
    private static final int MOST = 10_000;
    public static final Fraction ZERO = new Fraction(0, 1);

    public Fraction {
        if (denominator <= 0 || denominator > MOST || numerator < -MOST || numerator > MOST) {
            throw new IllegalArgumentException(numerator + "/" + denominator);
        }
        int divisor = gcd(Math.abs(numerator), denominator);
        numerator /= divisor;
        denominator /= divisor;
    }

    public Fraction negated() {
        return new Fraction(-numerator, denominator);
    }

    /** Rounded towards zero. */
    public int dividedBy(Fraction other) {
        if (other.numerator == 0) { // defect inverse: if (other == ZERO) {
            throw new IllegalArgumentException("division by zero");
        }
        return numerator * other.denominator / (denominator * other.numerator);
    }

    public boolean isWhole() {
        return denominator == 1;
    }

    @Override
    public int compareTo(Fraction other) {
        return Integer.compare(numerator * other.denominator, other.numerator * denominator);
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }
}
