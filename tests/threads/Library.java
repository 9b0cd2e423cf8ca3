// Classes of the JDK that several threads use at once. `//: M` behind a class says which choices of two calls are not linearizable; none of the others may be violated. Behind `undecided` stand
// those that leave a heap which no order leaves, and which no call tells from one that an order leaves: a queue whose tail lags behind, or an index that one thread has left to another.
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;

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

class SkipListMap { //: ; undecided: put(int, int) | put(int, int), put(int, int) | remove(int), remove(int) | remove(int)
    private final ConcurrentSkipListMap<Integer, Integer> map = new ConcurrentSkipListMap<>();

    public Integer put(int key, int value) {
        return map.put(key, value);
    }

    public Integer get(int key) {
        return map.get(key);
    }

    public Integer remove(int key) {
        return map.remove(key);
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
