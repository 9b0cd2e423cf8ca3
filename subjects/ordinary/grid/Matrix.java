// defect product, wrong bound: Matrix.times throws ArrayIndexOutOfBoundsException
//     Matrix row = Matrix.of(new double[][] {{1, 2, 3}});
//     Matrix column = Matrix.of(new double[][] {{1}, {2}, {3}});
//     column.times(row);
//     row.times(column);
package ordinary.grid;

import java.util.Arrays;

/** A matrix; immutable. */
public final class Matrix {
    private final double[][] values;

    private Matrix(double[][] values) {
        this.values = values;
    }

    public static Matrix of(double[][] values) {
        if (values.length == 0 || values[0].length == 0) {
            throw new IllegalArgumentException("empty");
        }
        double[][] copy = new double[values.length][];
        for (int i = 0; i < values.length; i++) {
            if (values[i].length != values[0].length) {
                throw new IllegalArgumentException("ragged");
            }
            copy[i] = values[i].clone();
        }
        return new Matrix(copy);
    }

    public static Matrix identity(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size");
        }
        double[][] values = new double[size][size];
        for (int i = 0; i < size; i++) {
            values[i][i] = 1;
        }
        return new Matrix(values);
    }

    public int rows() {
        return values.length;
    }

    public int columns() {
        return values[0].length;
    }

    public Matrix times(Matrix other) {
        if (columns() != other.rows()) {
            throw new IllegalArgumentException("sizes do not match");
        }
        double[][] product = new double[rows()][other.columns()];
        for (int i = 0; i < rows(); i++) {
            for (int j = 0; j < other.columns(); j++) { // defect product: for (int j = 0; j < columns(); j++) {
                for (int k = 0; k < columns(); k++) {
                    product[i][j] += values[i][k] * other.values[k][j];
                }
            }
        }
        return new Matrix(product);
    }

    public double trace() {
        double trace = 0;
        for (int i = 0; i < Math.min(rows(), columns()); i++) {
            trace += values[i][i];
        }
        return trace;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Matrix that && Arrays.deepEquals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.deepHashCode(values);
    }
}
