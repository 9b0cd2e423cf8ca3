// defect negative, remainder of a negative number: Histogram.add throws ArrayIndexOutOfBoundsException
//     new Histogram(10).add(-3);
// defect peak, wrong initial value: Histogram.mode throws ArrayIndexOutOfBoundsException
//     new Histogram(3).mode();
package ordinary.stats;

import java.util.Arrays;

/** How often numbers occur, by their remainder. */
public class Histogram {
    private final int[] buckets;
    private long total;

    public Histogram(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("size: " + size);
        }
        buckets = new int[size];
    }

    public void add(int number) {
        buckets[Math.floorMod(number, buckets.length)]++; // defect negative: buckets[number % buckets.length]++;
        total++;
    }

    public int count(int bucket) {
        if (bucket < 0 || bucket >= buckets.length) {
            return 0;
        }
        return buckets[bucket];
    }

    public int mode() {
        int best = 0; // defect peak: int best = -1;
        for (int i = 0; i < buckets.length; i++) {
            if (buckets[i] > buckets[best]) {
                best = i;
            }
        }
        return best;
    }

    public double share(int bucket) {
        return total == 0 ? 0 : (double) count(bucket) / total;
    }

    public void merge(Histogram other) {
        if (other.buckets.length != buckets.length) {
            throw new IllegalArgumentException("different sizes");
        }
        for (int i = 0; i < buckets.length; i++) {
            buckets[i] += other.buckets[i];
        }
        total += other.total;
    }

    public void clear() {
        Arrays.fill(buckets, 0);
        total = 0;
    }
}
