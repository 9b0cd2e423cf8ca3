// defect sum, off by one: Polynomial.plus throws ArrayIndexOutOfBoundsException
//     new Polynomial(1).plus(new Polynomial(1, 2));
// defect trimmed, missing bounds check: Polynomial.new throws ArrayIndexOutOfBoundsException
//     new Polynomial(0, 0);
package ordinary.algebra;

import java.util.Arrays;

/** The coefficient of x to the power i is at index i; the last one is not 0. */
public final class Polynomial {
    private final int[] coefficients;

    public Polynomial(int... coefficients) {
        int length = coefficients.length;
        while (length > 0 && coefficients[length - 1] == 0) { // defect trimmed: while (coefficients[length - 1] == 0) {
            length--;
        }
        this.coefficients = Arrays.copyOf(coefficients, length);
    }

    /** -1 for the polynomial that is 0. */
    public int degree() {
        return coefficients.length - 1;
    }

    public int coefficient(int power) {
        return power >= 0 && power < coefficients.length ? coefficients[power] : 0;
    }

    public Polynomial plus(Polynomial other) {
        int[] sum = new int[Math.max(coefficients.length, other.coefficients.length)]; // defect sum: int[] sum = new int[coefficients.length];
        for (int i = 0; i < coefficients.length; i++) {
            sum[i] += coefficients[i];
        }
        for (int i = 0; i < other.coefficients.length; i++) {
            sum[i] += other.coefficients[i];
        }
        return new Polynomial(sum);
    }

    public Polynomial derivative() {
        if (degree() < 1) {
            return new Polynomial();
        }
        int[] derivative = new int[degree()];
        for (int i = 0; i < derivative.length; i++) {
            derivative[i] = coefficients[i + 1] * (i + 1);
        }
        return new Polynomial(derivative);
    }

    public long at(int x) {
        long value = 0;
        for (int i = coefficients.length - 1; i >= 0; i--) {
            value = value * x + coefficients[i];
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Polynomial p && Arrays.equals(coefficients, p.coefficients);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(coefficients);
    }
}
