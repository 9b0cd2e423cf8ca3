// Classes that several threads use at once. `//: M` behind a class says which choices of two calls are not linearizable; all others hold, but for one that may be undecided
// (an end whose heap no order leaves, and that no call tells from one that an order leaves).
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;

class Treiber { //:
    static class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private final AtomicReference<Node> top = new AtomicReference<>();

    public void push(int value) {
        Node old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Node(value, old)));
    }

    public int pop() {
        Node old;
        do {
            old = top.get();
            if (old == null) {
                return -1;
            }
        } while (!top.compareAndSet(old, old.next));
        return old.value;
    }
}

class LostPush { //: push(int) | push(int), push(int) | pop(), pop() | pop()
    static class Node {
        final int value;
        final Node next;

        Node(int value, Node next) {
            this.value = value;
            this.next = next;
        }
    }

    private volatile Node top;

    public void push(int value) {
        top = new Node(value, top);
    }

    public int pop() {
        Node old = top;
        if (old == null) {
            return -1;
        }
        top = old.next;
        return old.value;
    }
}

class Counter { //:
    private int count;

    public synchronized void increment() {
        count++;
    }

    public synchronized int get() {
        return count;
    }
}

class LostUpdate { //: increment() | increment()
    private volatile int count;

    public void increment() {
        count++;
    }

    public int get() {
        return count;
    }
}

class LateCheck { //: add(int) | add(int)
    static class Node {
        int value;
        Node next;
    }

    Node head;

    boolean repOK() {
        for (Node node = head; node != null && node.next != null; node = node.next) {
            if (node.value >= node.next.value) {
                return false;
            }
        }
        return true;
    }

    public synchronized boolean contains(int value) {
        for (Node node = head; node != null; node = node.next) {
            if (node.value == value) {
                return true;
            }
        }
        return false;
    }

    public boolean add(int value) {
        if (contains(value)) {
            return false;
        }
        synchronized (this) {
            Node before = null;
            Node at = head;
            while (at != null && at.value < value) {
                before = at;
                at = at.next;
            }
            Node made = new Node();
            made.value = value;
            made.next = at;
            if (before == null) {
                head = made;
            } else {
                before.next = made;
            }
        }
        return true;
    }
}

class Unguarded { //: offer(int) | offer(int), poll() | poll(); undecided: offer(int) | poll()
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();

    public boolean offer(int value) {
        return queue.offer(value);
    }

    public Integer poll() {
        return queue.poll();
    }
}

class LateObject { //: get() | get()
    private volatile Object object;

    public Object get() {
        Object found = object;
        if (found == null) {
            object = found = new Object();
        }
        return found;
    }

    public boolean isThere() {
        return object != null;
    }
}

class OnceObject { //:
    private volatile Object object;

    public Object get() {
        Object found = object;
        if (found == null) {
            synchronized (this) {
                found = object;
                if (found == null) {
                    object = found = new Object();
                }
            }
        }
        return found;
    }

    public boolean isThere() {
        return object != null;
    }
}

class Box { //:
    private int item;
    private boolean isFull;

    public synchronized void put(int value) throws InterruptedException {
        while (isFull) {
            wait();
        }
        item = value;
        isFull = true;
        notifyAll();
    }

    public synchronized int take() throws InterruptedException {
        while (!isFull) {
            wait();
        }
        isFull = false;
        notifyAll();
        return item;
    }
}

class HastyBox { //: put(int) | put(int), put(int) | take(), take() | take()
    private int item;
    private boolean isFull;

    public synchronized void put(int value) throws InterruptedException {
        if (isFull) {
            wait();
        }
        item = value;
        isFull = true;
        notifyAll();
    }

    public synchronized int take() throws InterruptedException {
        if (!isFull) {
            wait();
        }
        isFull = false;
        notifyAll();
        return item;
    }
}

class Gate { //:
    private boolean isOpen;

    public synchronized void open() {
        isOpen = true;
        notifyAll();
    }

    public synchronized void pass() throws InterruptedException {
        while (!isOpen) {
            wait();
        }
    }
}
