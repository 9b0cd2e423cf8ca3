//! check Hard.factor
//! check Hard.cubes
//! check Hard.reals
//! check Hard.divided
//! check Hard.many
//! check Hard.hash
//! check Hard.bits
//! check Hard.chain

/** Products, quotients and roundings: the questions that solvers take longest for. */
public class Hard {
    public static int factor(long a, long b) { return a > 1 && b > 1 && a < 1L << 31 && b < 1L << 31 && a * b == 4611685975477714963L ? 1 / 0 : 0; }

    public static int cubes(long a, long b, long c) { return a > 0 && b > 0 && c > 0 && a * a * a + b * b * b == c * c * c && a < 2000000 && b < 2000000 ? 1 / 0 : 0; }

    public static int reals(double a, double b) { return a * b == 3.7 && a / b > 1.23456 && a + b * a < 4.2 && a - b / a == 0.001 ? 1 / 0 : 0; }

    public static int divided(long a, long b, long c) {
        return b > 3 && c > 3 && a / b * c % 1000003 == a % c * 7919 + 12345 && (a ^ b) / c == b * c % 65537 ? 1 / 0 : 0;
    }

    public static int many(long a, long b, long c) {
        int n = 0;
        for (int i = 1; i < 60; i++) if ((a * b + c * i) % (a + i * 31L) == (b * c ^ i) / 7) n++;
        return 1 / (n - 30);
    }

    public static int hash(int a, int b, int c, int d) {
        int h = 0x811c9dc5;
        for (int x : new int[] {a, b, c, d, a ^ b, c ^ d}) for (int i = 0; i < 32; i += 8) h = (h ^ (x >>> i & 255)) * 0x01000193;
        return h == 0x12345678 ? 1 / 0 : 0;
    }

    public static int bits(int a, int b) {
        int n = 0;
        for (int i = 0; i < 32; i++) { if ((a >>> i & 1) == 1) n++; if ((b >>> i & 1) == (n & 1)) n--; }
        return 1 / (n + 40);
    }

    public static double chain(double a) {
        for (int i = 0; i < 200; i++) a = a * a - a / 3 + Math.sqrt(Math.abs(a));
        return a == 0.5 ? 1 / (int) (a - a) : a;
    }
}
