// defect expired, null of an empty queue: SlidingWindow.allow throws NullPointerException
//     SlidingWindow window = new SlidingWindow(2, 10);
//     window.allow(0);
package ordinary.limiter;

import java.util.ArrayDeque;
import java.util.Deque;

/** At most so many requests in any stretch of time. */
public class SlidingWindow {
    private final int most;
    private final long length;
    private final Deque<Long> times = new ArrayDeque<>();

    public SlidingWindow(int most, long length) {
        if (most < 1 || length < 1) {
            throw new IllegalArgumentException();
        }
        this.most = most;
        this.length = length;
    }

    public boolean allow(long now) {
        while (!times.isEmpty() && now - times.peekFirst() >= length) { // defect expired: while (now - times.peekFirst() >= length) {
            times.pollFirst();
        }
        if (times.size() >= most) {
            return false;
        }
        times.addLast(now);
        return true;
    }

    public int pending() {
        return times.size();
    }

    public void reset() {
        times.clear();
    }
}
