/** Uses of files: a line that ends with a comment names the property that the method breaks. */
public class Files {
    static class Handle {
        int number;
        boolean isOpen;

        Handle() {
            this(1);
        }

        Handle(int number) {
            if (number < 0) {
                throw new IllegalArgumentException();
            }
            this.number = number;
        }

        void open() {
            isOpen = true;
        }

        int read() {
            return number;
        }

        void write() {
        }

        void close() {
            isOpen = false;
        }
    }

    public static int inOrder() {
        Handle file = new Handle();
        file.open();
        try {
            return file.read();
        } finally {
            file.close();
        }
    }

    public static void neverClosed() { //: closed
        new Handle().open();
    }

    public static void closedUnless(int number) { //: closed
        Handle file = new Handle();
        file.open();
        if (number != 77) {
            file.close();
        }
    }

    public static void closedBehindException(int number) throws Exception { //: closed
        Handle file = new Handle();
        file.open();
        if (number < 0) {
            throw new Exception();
        }
        file.close();
    }

    public static void closedWithException(int number) throws Exception {
        Handle file = new Handle();
        file.open();
        try {
            if (number < 0) {
                throw new Exception();
            }
        } finally {
            file.close();
        }
    }

    public static int readLater() { //: closed
        Handle file = new Handle();
        file.open();
        file.close();
        return file.read();
    }

    public static void openedTwice() { //: closed
        Handle file = new Handle();
        file.open();
        file.open();
        file.close();
    }

    public static void two() {
        Handle one = new Handle();
        Handle other = new Handle();
        one.open();
        other.open();
        one.close();
        other.close();
    }

    public static void oneOfTwo() { //: closed
        Handle one = new Handle();
        Handle other = new Handle();
        one.open();
        other.open();
        one.close();
        one.open();
        one.close();
    }

    /** Each thread closes what it has opened. */
    public static void inThread() throws InterruptedException {
        Thread other = new Thread(Files::inOrder);
        other.start();
        inOrder();
        other.join();
    }

    public static void leftInThread() throws InterruptedException { //: closed
        Thread other = new Thread(Files::neverClosed);
        other.start();
        other.join();
    }

    /** Another thread closes it, which is too late for the one that has opened it. */
    public static void closedByOther() throws InterruptedException { //: closed
        Handle file = new Handle();
        Thread other = new Thread(file::open);
        other.start();
        other.join();
        file.close();
    }

    public static int numberedOnce(int number) {
        return number < 0 ? 0 : new Handle(number).number;
    }

    public static void numberedAgain() { //: numbered
        Handle file = new Handle(2);
        file.number = 3;
    }

    public static void numberedAgainSomewhere(int number) { //: numbered
        Handle file = new Handle(2);
        file.number = number > 5 ? number : 7;
    }

    public static boolean noHandle(int number) { //: numbered
        try {
            return new Handle(number) != null;
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }
}
