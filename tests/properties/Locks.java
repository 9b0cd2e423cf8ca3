import java.util.ArrayList;
import java.util.List;

/** Uses of monitors: a line that ends with a comment names the property that the method breaks. */
public class Locks {
    interface Listener {
        void changed(int value);
    }

    static class Left {
    }

    static class Right {
    }

    static class Subject {
        final List<Listener> listeners = new ArrayList<>();
        int value;

        synchronized void fireInside(int next) {
            value = next;
            for (Listener listener : listeners) {
                listener.changed(value);
            }
        }

        void fireOutside(int next) {
            List<Listener> all;
            synchronized (this) {
                value = next;
                all = new ArrayList<>(listeners);
            }
            for (Listener listener : all) {
                listener.changed(next);
            }
        }
    }

    static class Counting implements Listener {
        int calls;

        public synchronized void changed(int value) {
            calls++;
        }
    }

    public static int outside(int next) {
        Subject subject = new Subject();
        Counting counting = new Counting();
        subject.listeners.add(counting);
        subject.fireOutside(next);
        return counting.calls;
    }

    public static void inside(int next) { //: quiet
        Subject subject = new Subject();
        subject.listeners.add(new Counting());
        subject.fireInside(next);
    }

    public static void insideWithLambda(int next) { //: quiet
        Subject subject = new Subject();
        subject.listeners.add(value -> subject.value += value);
        subject.fireInside(next);
    }

    public static void outsideWithLambda(int next) {
        Subject subject = new Subject();
        subject.listeners.add(value -> subject.value += value);
        subject.fireOutside(next);
    }

    public static void noneListens(int next) {
        new Subject().fireInside(next);
    }

    public static void leftThenRight() {
        Object left = new Left();
        Object right = new Right();
        synchronized (left) {
            synchronized (right) {
                synchronized (left) {
                    return;
                }
            }
        }
    }

    public static void rightThenLeft(boolean flag) { //: order
        Object left = new Left();
        Object right = new Right();
        synchronized (flag ? right : left) {
            synchronized (left) {
                return;
            }
        }
    }

    /** The monitor is left for the time of the wait. */
    public static void waitsBetween() throws InterruptedException {
        Left left = new Left();
        Right right = new Right();
        Thread other = new Thread(() -> {
            synchronized (left) {
                synchronized (right) {
                    left.notifyAll();
                }
            }
        });
        other.start();
        synchronized (right) {
            right.wait(1);
        }
        synchronized (left) {
            left.wait(1);
        }
        other.join();
    }

    public static void inTwoThreads() throws InterruptedException {
        Left left = new Left();
        Right right = new Right();
        Thread other = new Thread(() -> {
            synchronized (left) {
                return;
            }
        });
        synchronized (right) {
            other.start();
        }
        other.join();
    }

    public static void wrongInThread() throws InterruptedException { //: order
        Left left = new Left();
        Right right = new Right();
        Thread other = new Thread(() -> {
            synchronized (right) {
                synchronized (left) {
                    return;
                }
            }
        });
        other.start();
        other.join();
    }
}
