//! check Deep.endless
//! check Deep.caught
//! check Deep.ackermann
//! check Deep.fibonacci
//! check Deep.mutual
//! check Deep.tower
//! check Deep.busy
//! check Deep.power
//! check Deep.reader
//! check Deep.sleeper

import java.math.BigInteger;

/** Deep recursion, and loops that nothing ends. */
public class Deep {
    public static int endless(int a) { return endless(a + 1) + 1; }

    public static int caught(int a) {
        try {
            return caught(a + 1) + caught(a - 1);
        } catch (StackOverflowError error) {
            return caught(a ^ 1) + 1;
        }
    }

    public static int ackermann(int m, int n) {
        if (m <= 0) return n + 1;
        return n <= 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    public static int fibonacci(int a) { return fib(60) / a; }

    private static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

    public static boolean mutual(int n) { return n == 0 || other(n - 1, n); }

    private static boolean other(int n, int m) { return n != m * 3 && mutual(n - 1); }

    public static int tower(int a) {
        Object[] top = {};
        for (int i = 0; i < 5_000_000; i++) top = new Object[] {top};
        return java.util.Arrays.deepToString(top).length() / a;
    }

    public static int busy(int a) {
        long x = 1;
        while (x != 0) x = x * 6364136223846793005L + 1442695040888963407L | 1;
        return a;
    }

    public static int power(int a) { return BigInteger.valueOf(3).pow(30_000_000).bitLength() / a; }

    public static int reader(int a) throws Exception {
        int n = 0;
        while (n < 1_000_000_000) n += System.in.read() + 2;
        return n / a;
    }

    public static int sleeper(int a) throws Exception {
        Thread.sleep(100_000);
        synchronized (Deep.class) { Deep.class.wait(); }
        return 1 / a;
    }
}
