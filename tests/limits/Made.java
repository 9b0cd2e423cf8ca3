//! check Made$Endless.check
//! check Made$Growing.check
//! check Made$Huge.check
//! check Made$Many.check
//! check Made$Slow.check
//! check Made$Nested.check

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Classes whose inputs calls make, and whose calls do not end, make states without number, or fill the memory. */
public class Made {
    /** Calls that never end for some arguments. */
    static class Endless {
        private int number;

        public void turn(int by) {
            while (number != by) {
                number = number > 1000 ? 0 : number + 2;
            }
        }

        public void check() {
            assert number != 7;
        }
    }

    /** Every call makes a state that was not there before. */
    static class Growing {
        private long first;
        private long second;
        private long third;

        public void one(long by) {
            first = first * 31 + by;
        }

        public void two(long by) {
            second = second * 17 ^ first + by;
        }

        public void three(int by) {
            third = by > 3 ? first - second : third * third + by;
        }

        public void check() {
            assert first * second != third * 12345677L + 11;
        }
    }

    /** Each call fills megabytes. */
    static class Huge {
        private final List<int[]> kept = new ArrayList<>();

        public void keep(int length) {
            kept.add(new int[length > 0 && length < 4 ? length << 20 : 1 << 22]);
        }

        public void check() {
            assert kept.size() < 1000;
        }
    }

    /** Many methods, each with many ways to go. */
    static class Many {
        private final Map<Integer, Integer> all = new HashMap<>();

        public void put(int key, int value) {
            all.put(key & 255, value % 100);
        }

        public void remove(int key) {
            all.remove(key & 255);
        }

        public void add(int key, int value) {
            all.merge(key, value, Integer::sum);
        }

        public void check(int key) {
            Integer value = all.get(key);
            assert value == null || value != 991;
        }
    }

    /** A constructor that takes long, for every argument. */
    static class Slow {
        private int sum;

        public Slow(int seed) {
            for (int i = 0; i < 100_000_000; i++) {
                sum = sum * 1103515245 + seed;
            }
        }

        public void check() {
            assert sum != 5;
        }
    }

    /** Objects that are made of each other. */
    static class Nested {
        private final Nested left;
        private final Nested right;
        private int depth;

        public Nested(Nested left, Nested right) {
            this.left = left;
            this.right = right;
            depth = 1 + (left == null ? 0 : left.depth) + (right == null ? 0 : right.depth);
        }

        public void deepen(Nested other) {
            depth += other == null ? 1 : other.depth;
        }

        public void check(Nested other) {
            assert other == null || left == null || depth * other.depth != 77 || right == other;
        }
    }
}
