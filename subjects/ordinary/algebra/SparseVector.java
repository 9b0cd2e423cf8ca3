// defect dot, unboxing null: SparseVector.dot throws NullPointerException
//     SparseVector a = new SparseVector();
//     a.set(1, 2);
//     a.dot(new SparseVector());
// defect zero, missed removal: SparseVector.set throws AssertionError
//     SparseVector a = new SparseVector();
//     a.set(1, 0);
package ordinary.algebra;

import java.util.Map;
import java.util.TreeMap;

/** Only what is not 0 is stored. */
public class SparseVector {
    private final Map<Integer, Integer> values = new TreeMap<>();

    public void set(int index, int value) {
        if (index < 0) {
            throw new IndexOutOfBoundsException(index);
        }
        if (value == 0) { // defect zero: if (value == 0 && values.containsKey(index)) {
            values.remove(index);
        } else {
            values.put(index, value);
        }
        assert !values.containsValue(0);
    }

    public int get(int index) {
        return values.getOrDefault(index, 0);
    }

    public long dot(SparseVector other) {
        long sum = 0;
        for (Map.Entry<Integer, Integer> entry : values.entrySet()) {
            sum += (long) entry.getValue() * other.get(entry.getKey()); // defect dot: sum += (long) entry.getValue() * other.values.get(entry.getKey());
        }
        return sum;
    }

    public int nonZero() {
        return values.size();
    }

    public void scale(int factor) {
        if (factor == 0) {
            values.clear();
        } else {
            values.replaceAll((index, value) -> value * factor);
            values.values().removeIf(value -> value == 0);
        }
    }
}
