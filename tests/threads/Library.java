// Classes of the JDK that several threads use at once. `//: M` behind a class says which choices of two calls are not linearizable; none of the others may be violated. Behind `undecided` stand
// those that leave a heap which no order leaves, and which no call tells from one that an order leaves: a queue whose tail lags behind.
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

class LinkedQueue { //: ; undecided: offer(int) | offer(int)
    private final ConcurrentLinkedQueue<Integer> queue = new ConcurrentLinkedQueue<>();

    public boolean offer(int value) {
        return queue.offer(value);
    }

    public Integer poll() {
        return queue.poll();
    }

    public Integer peek() {
        return queue.peek();
    }
}

class Deque { //: add(int) | add(int), take() | take(); undecided: add(int) | take()
    private final ArrayDeque<Integer> deque = new ArrayDeque<>();

    public boolean add(int value) {
        return deque.offer(value);
    }

    public Integer take() {
        return deque.poll();
    }
}
