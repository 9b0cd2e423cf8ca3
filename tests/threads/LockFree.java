// Structures for several threads, right and with the classic mistakes. `//: M` behind a class says which choices of two calls are not linearizable on some receiver; all others hold.
import java.util.concurrent.atomic.AtomicReference;

/** Treiber's stack. */
class Stack { //:
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

/** Pops by a plain write, which may undo what came in between. */
class HastyStack { //: push(int) | pop(), pop() | pop()
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
        Node old = top.get();
        if (old == null) {
            return -1;
        }
        top.set(old.next);
        return old.value;
    }
}

/** The queue of Michael and Scott: the tail may lag behind, and whoever finds it so moves it on. */
class Queue { //:
    static class Node {
        final int value;
        final AtomicReference<Node> next = new AtomicReference<>();

        Node(int value) {
            this.value = value;
        }
    }

    private final AtomicReference<Node> head;
    private final AtomicReference<Node> tail;

    Queue() {
        Node none = new Node(0);
        head = new AtomicReference<>(none);
        tail = new AtomicReference<>(none);
    }

    public void add(int value) {
        Node node = new Node(value);
        while (true) {
            Node last = tail.get();
            Node next = last.next.get();
            if (next != null) {
                tail.compareAndSet(last, next);
            } else if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
        }
    }

    public int take() {
        while (true) {
            Node first = head.get();
            Node last = tail.get();
            Node next = first.next.get();
            if (first == last) {
                if (next == null) {
                    return -1;
                }
                tail.compareAndSet(last, next);
            } else if (head.compareAndSet(first, next)) {
                return next.value;
            }
        }
    }
}

/** Links a node without looking whether another one came first. */
class HastyQueue { //: add(int) | add(int)
    static class Node {
        final int value;
        final AtomicReference<Node> next = new AtomicReference<>();

        Node(int value) {
            this.value = value;
        }
    }

    private final AtomicReference<Node> head;
    private final AtomicReference<Node> tail;

    HastyQueue() {
        Node none = new Node(0);
        head = new AtomicReference<>(none);
        tail = new AtomicReference<>(none);
    }

    public void add(int value) {
        Node node = new Node(value);
        Node last = tail.get();
        last.next.set(node);
        tail.compareAndSet(last, node);
    }

    public int take() {
        while (true) {
            Node first = head.get();
            Node next = first.next.get();
            if (next == null) {
                return -1;
            }
            if (head.compareAndSet(first, next)) {
                return next.value;
            }
        }
    }
}

/** The lazy list of Heller and others: an ordered set that looks for a place without a lock, and looks again when it has locked it. */
class LazySet { //:
    static class Node {
        final int key;
        volatile Node next;
        volatile boolean isRemoved;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private final Node head = new Node(0, null);

    public boolean add(int key) {
        while (true) {
            Node before = head;
            Node at = before.next;
            while (at != null && at.key < key) {
                before = at;
                at = at.next;
            }
            synchronized (before) {
                if (before.isRemoved || before.next != at) {
                    continue;
                }
                if (at != null && at.key == key) {
                    return false;
                }
                before.next = new Node(key, at);
                return true;
            }
        }
    }

    public boolean remove(int key) {
        while (true) {
            Node before = head;
            Node at = before.next;
            while (at != null && at.key < key) {
                before = at;
                at = at.next;
            }
            if (at == null || at.key != key) {
                return false;
            }
            synchronized (before) {
                synchronized (at) {
                    if (before.isRemoved || before.next != at) {
                        continue;
                    }
                    at.isRemoved = true;
                    before.next = at.next;
                    return true;
                }
            }
        }
    }
}

/** Does not look again. */
class HastySet { //: add(int) | add(int), add(int) | remove(int), remove(int) | remove(int)
    static class Node {
        final int key;
        volatile Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }
    }

    private final Node head = new Node(0, null);

    public boolean add(int key) {
        Node before = head;
        Node at = before.next;
        while (at != null && at.key < key) {
            before = at;
            at = at.next;
        }
        if (at != null && at.key == key) {
            return false;
        }
        synchronized (before) {
            before.next = new Node(key, at);
        }
        return true;
    }

    public boolean remove(int key) {
        Node before = head;
        Node at = before.next;
        while (at != null && at.key < key) {
            before = at;
            at = at.next;
        }
        if (at == null || at.key != key) {
            return false;
        }
        synchronized (before) {
            before.next = at.next;
        }
        return true;
    }
}
