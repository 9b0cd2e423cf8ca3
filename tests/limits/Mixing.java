//! check Mixing.m16
//! check Mixing.m28
//! check Mixing.m28 --paths
//! check Mixing.m500
//! check Mixing.branching
//! check Mixing.kept
//! check Mixing.kept --paths
//! check Mixing.chosen
//! check Mixing.index
//! tests Mixing.m28

/** Terms that share their parts: written out as trees, they have 2^28 nodes and more. */
public class Mixing {
    public static int m16(int a) { int x = a; for (int i = 0; i < 16; i++) x = x * 31 + a ^ (x >>> 3); return 1 / x; }

    public static int m28(int a) { int x = a; for (int i = 0; i < 28; i++) x = x * 31 + a ^ (x >>> 3); return 1 / x; }

    public static int m500(int a) { int x = a; for (int i = 0; i < 500; i++) x = x * 31 + a ^ (x >>> 3); return 1 / x; }

    public static int branching(int a) {
        int x = a, n = 0;
        for (int i = 0; i < 28; i++) {
            x = x * 31 + a ^ (x >>> 3);
            if ((x & 1) == 0) n++;
        }
        return 1 / (n - 14);
    }

    public static int[] kept(int a, long b) {
        int[] all = new int[40];
        for (int i = 1; i < all.length; i++) all[i] = all[i - 1] * 31 + a ^ (all[i - 1] >>> 3) + (int) (b % (i + 1));
        if (all[39] == 12345) throw new IllegalStateException();
        return all;
    }

    public static double chosen(double a, double b) {
        double x = a;
        for (int i = 0; i < 40; i++) x = Math.max(x * b, Math.min(x + a, x - b));
        return 1 / (int) x;
    }

    public static int index(int[] all, int a) {
        int x = a;
        for (int i = 0; i < 30; i++) x = x * 31 + a ^ (x >>> 3);
        return all[x & 3] / x;
    }
}
