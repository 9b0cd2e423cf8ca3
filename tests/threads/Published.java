/** Programs of the papers on partial-order reduction, written from their descriptions. The comment behind a method says how many executions differ. */
public class Published {
    static volatile int x;
    static void all(Thread[] threads) throws InterruptedException {
        for (Thread t : threads) t.start();
        for (Thread t : threads) t.join();
    }
    static void readers(int n) throws InterruptedException {
        Thread[] threads = new Thread[n + 1];
        threads[0] = new Thread(() -> x = 1);
        for (int i = 1; i <= n; i++) threads[i] = new Thread(() -> { int a = x; });
        all(threads);
    }
    public static void readers2() throws InterruptedException { readers(2); } //: 4
    public static void readers8() throws InterruptedException { readers(8); } //: 256
    static void lastZero(int n) throws InterruptedException {
        int[] a = new int[n + 1];
        Thread[] threads = new Thread[n + 1];
        threads[0] = new Thread(() -> { int i = n; while (a[i] != 0) i--; });
        for (int j = 1; j <= n; j++) { int k = j; threads[j] = new Thread(() -> a[k] = a[k - 1] + 1); }
        all(threads);
    }
    public static void lastZero5() throws InterruptedException { lastZero(5); } //: 64, given up: 33
    static void fileSystem(int n) throws InterruptedException {
        final int blocks = 26, inodes = 32;
        Object[] locki = new Object[inodes], lockb = new Object[blocks];
        for (int i = 0; i < inodes; i++) locki[i] = new Object();
        for (int i = 0; i < blocks; i++) lockb[i] = new Object();
        int[] inode = new int[inodes]; boolean[] busy = new boolean[blocks];
        Thread[] threads = new Thread[n];
        for (int t = 0; t < n; t++) {
            int tid = t;
            threads[t] = new Thread(() -> {
                int i = tid % inodes;
                synchronized (locki[i]) {
                    if (inode[i] == 0) {
                        int b = (i * 2) % blocks;
                        while (true) {
                            synchronized (lockb[b]) {
                                if (!busy[b]) { busy[b] = true; inode[i] = b + 1; break; }
                            }
                            b = (b + 1) % blocks;
                        }
                    }
                }
            });
        }
        all(threads);
    }
    public static void fileSystem14() throws InterruptedException { fileSystem(14); } //: 2
    public static void fileSystem16() throws InterruptedException { fileSystem(16); } //: 8
    public static void fileSystem18() throws InterruptedException { fileSystem(18); } //: 32
    static void indexer(int n) throws InterruptedException {
        final int size = 128, max = 4;
        java.util.concurrent.atomic.AtomicIntegerArray table = new java.util.concurrent.atomic.AtomicIntegerArray(size);
        Thread[] threads = new Thread[n];
        for (int t = 0; t < n; t++) {
            int tid = t;
            threads[t] = new Thread(() -> {
                int m = 0;
                while (m < max) {
                    int w = ++m * 11 + tid;
                    int h = (w * 7) % size;
                    while (!table.compareAndSet(h, 0, w)) h = (h + 1) % size;
                }
            });
        }
        all(threads);
    }
    public static void indexer12() throws InterruptedException { indexer(12); } //: 8
}
