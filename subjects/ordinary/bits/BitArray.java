// defect words, integer division: BitArray.set throws ArrayIndexOutOfBoundsException
//     new BitArray(70).set(69);
// defect flip, missed update: BitArray.cardinality throws AssertionError
//     BitArray bits = new BitArray(8);
//     bits.flip(3);
//     bits.cardinality();
package ordinary.bits;

import java.util.Objects;

/** Bits of a fixed number, which knows how many are set. */
public class BitArray {
    private final int length;
    private final long[] words;
    private int cardinality;

    public BitArray(int length) {
        if (length < 0 || length > 1 << 20) {
            throw new IllegalArgumentException("length: " + length);
        }
        this.length = length;
        this.words = new long[(length + 63) / 64]; // defect words: this.words = new long[length / 64];
    }

    public boolean get(int index) {
        Objects.checkIndex(index, length);
        return (words[index >> 6] & 1L << index) != 0;
    }

    public void set(int index) {
        if (!get(index)) {
            words[index >> 6] |= 1L << index;
            cardinality++;
        }
    }

    public void clear(int index) {
        if (get(index)) {
            words[index >> 6] &= ~(1L << index);
            cardinality--;
        }
    }

    public void flip(int index) {
        Objects.checkIndex(index, length);
        words[index >> 6] ^= 1L << index;
        cardinality += get(index) ? 1 : -1; // defect flip:
    }

    public int cardinality() {
        int count = 0;
        for (long word : words) {
            count += Long.bitCount(word);
        }
        assert count == cardinality;
        return cardinality;
    }

    public int nextSet(int from) {
        for (int i = Math.max(from, 0); i < length; i++) {
            if (get(i)) {
                return i;
            }
        }
        return -1;
    }
}
