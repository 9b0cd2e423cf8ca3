/** Threads whose calls come in an order: a line that ends with a comment names the properties that the method breaks. */
public class Turns {
    static volatile boolean done;

    static void ping() {
    }

    static void pong() {
    }

    static void finish() {
    }

    public static void inOrder() throws InterruptedException {
        Thread other = new Thread(Turns::ping);
        other.start();
        other.join();
        pong();
        finish();
    }

    /** The threads have nothing else in common than the property. */
    public static void anyOrder() throws InterruptedException { //: turns
        Thread other = new Thread(Turns::ping);
        other.start();
        pong();
        other.join();
        finish();
    }

    public static void guarded() throws InterruptedException {
        Object lock = new Object();
        boolean[] isPinged = new boolean[1];
        Thread other = new Thread(() -> {
            synchronized (lock) {
                ping();
                isPinged[0] = true;
            }
        });
        other.start();
        synchronized (lock) {
            if (isPinged[0]) {
                pong();
            }
        }
        other.join();
        finish();
    }

    public static void guardedWrongly() throws InterruptedException { //: turns
        Object lock = new Object();
        boolean[] isPinged = new boolean[1];
        Thread other = new Thread(() -> {
            synchronized (lock) {
                isPinged[0] = true;
            }
            ping();
        });
        other.start();
        synchronized (lock) {
            if (isPinged[0]) {
                pong();
            }
        }
        other.join();
        finish();
    }

    private static void setOnce() {
        if (!done) {
            done = true;
        }
    }

    private static synchronized void setOnceLocked() {
        setOnce();
    }

    public static void writtenOnce() {
        done = false;
        finish();
    }

    public static void twoSetters() throws InterruptedException { //: once
        Thread other = new Thread(Turns::setOnce);
        other.start();
        setOnce();
        other.join();
        finish();
    }

    public static void twoLockedSetters() throws InterruptedException {
        Thread other = new Thread(Turns::setOnceLocked);
        other.start();
        setOnceLocked();
        other.join();
        finish();
    }

    public static void neverFinished(int number) { //: finished
        if (number != 3) {
            finish();
        }
    }

    /** The run ends when the last thread does. */
    public static void finishedLater() {
        new Thread(Turns::finish).start();
    }

    public static void finishedPerhaps(boolean flag) { //: finished
        new Thread(() -> {
            if (flag) {
                finish();
            }
        }).start();
    }
}
