import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Small concurrent programs. The comment behind a method says what must be found: defects, and data races. */
public class Suite {
    int count;
    volatile int seen;
    boolean ready;
    volatile boolean open;
    Suite other;

    static void both(Runnable first, Runnable second) {
        Thread one = new Thread(first, "A"), two = new Thread(second, "B");
        one.start();
        two.start();
        join(one);
        join(two);
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static int counterWithoutLock() { //: defect AssertionError, race Suite.count
        Suite s = new Suite();
        both(() -> s.count++, () -> s.count++);
        assert s.count == 2;
        return s.count;
    }

    public static int counterWithLock() { //:
        Suite s = new Suite();
        Runnable add = () -> {
            synchronized (s) {
                s.count++;
            }
        };
        both(add, add);
        assert s.count == 2;
        return s.count;
    }

    synchronized void add() {
        count++;
    }

    public static int synchronizedMethod() { //:
        Suite s = new Suite();
        both(s::add, s::add);
        assert s.count == 2;
        return s.count;
    }

    public static int wrongLocks() { //: defect AssertionError, race Suite.count
        Suite s = new Suite();
        Object one = new Object(), two = new Object();
        both(() -> { synchronized (one) { s.count++; } }, () -> { synchronized (two) { s.count++; } });
        assert s.count == 2;
        return s.count;
    }

    public static int volatileIsNotAtomic() { //: defect AssertionError
        Suite s = new Suite();
        both(() -> s.seen++, () -> s.seen++);
        assert s.seen == 2;
        return s.seen;
    }

    public static int atomicCounter(int start) { //:
        AtomicInteger n = new AtomicInteger(start);
        both(n::incrementAndGet, n::incrementAndGet);
        assert n.get() == start + 2;
        return n.get() - start;
    }

    public static int checkThenAct() { //: defect AssertionError
        AtomicInteger n = new AtomicInteger(1);
        Runnable take = () -> {
            if (n.get() > 0) {
                n.decrementAndGet();
            }
        };
        both(take, take);
        assert n.get() >= 0;
        return n.get();
    }

    public static int compareAndSet() { //:
        AtomicInteger n = new AtomicInteger(1);
        Runnable take = () -> n.compareAndSet(1, 0);
        both(take, take);
        assert n.get() == 0;
        return n.get();
    }

    public static int lockOrder() { //: defect deadlock
        Object one = new Object(), two = new Object();
        both(() -> { synchronized (one) { synchronized (two) { } } }, () -> { synchronized (two) { synchronized (one) { } } });
        return 0;
    }

    public static int sameLockOrder() { //:
        Object one = new Object(), two = new Object();
        Runnable nested = () -> { synchronized (one) { synchronized (two) { } } };
        both(nested, nested);
        return 0;
    }

    static void transfer(Suite from, Suite to) {
        synchronized (from) {
            synchronized (to) {
                from.count--;
                to.count++;
            }
        }
    }

    public static int bankTransfers() { //: defect deadlock
        Suite a = new Suite(), b = new Suite();
        both(() -> transfer(a, b), () -> transfer(b, a));
        return a.count + b.count;
    }

    public static int bankTransfersOneWay() { //:
        Suite a = new Suite(), b = new Suite();
        both(() -> transfer(a, b), () -> transfer(a, b));
        assert a.count == -2 && b.count == 2;
        return b.count;
    }

    public static int missedSignal() { //: defect deadlock
        Object lock = new Object();
        both(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }, () -> {
            synchronized (lock) {
                lock.notify();
            }
        });
        return 0;
    }

    void await() {
        synchronized (this) {
            while (!ready) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }

    void signal() {
        synchronized (this) {
            ready = true;
            notifyAll();
        }
    }

    public static int guardedWait() { //:
        Suite s = new Suite();
        both(s::await, s::signal);
        assert s.ready;
        return 0;
    }

    public static int notifyWithoutLock() { //: defect IllegalMonitorStateException
        Object lock = new Object();
        both(() -> { }, () -> lock.notify());
        return 0;
    }

    public static int spinOnVolatile() { //:
        Suite s = new Suite();
        both(() -> { while (!s.open) { } }, () -> { s.open = true; });
        return 0;
    }

    public static int spinForEver() { //: defect deadlock
        Suite s = new Suite();
        both(() -> { while (!s.open) { } }, () -> { });
        return 0;
    }

    public static int timedWait() { //:
        Object lock = new Object();
        both(() -> {
            synchronized (lock) {
                try {
                    lock.wait(10);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }, () -> { });
        return 0;
    }

    public static int timedWaitInLoop() { //:
        Suite s = new Suite();
        both(() -> {
            synchronized (s) {
                while (!s.ready) {
                    try {
                        s.wait(10);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }
        }, s::signal);
        return 0;
    }

    static Suite instance;

    static Suite lazy() {
        if (instance == null) {
            synchronized (Suite.class) {
                if (instance == null) {
                    instance = new Suite();
                }
            }
        }
        return instance;
    }

    public static int doubleCheckedLocking() { //: race Suite.instance
        instance = null;
        both(() -> lazy(), () -> lazy());
        return 0;
    }

    static volatile Suite safe;

    static Suite safelyLazy() {
        if (safe == null) {
            synchronized (Suite.class) {
                if (safe == null) {
                    safe = new Suite();
                }
            }
        }
        return safe;
    }

    public static int doubleCheckedLockingVolatile() { //:
        safe = null;
        Suite[] got = new Suite[2];
        both(() -> got[0] = safelyLazy(), () -> got[1] = safelyLazy());
        assert got[0] == got[1];
        return 0;
    }

    public static int flagHandsOver() { //:
        Suite s = new Suite();
        both(() -> { s.count = 7; s.open = true; }, () -> { if (s.open) { assert s.count == 7; } });
        return 0;
    }

    public static int flagTooEarly() { //: defect AssertionError, race Suite.count
        Suite s = new Suite();
        both(() -> { s.open = true; s.count = 7; }, () -> { if (s.open) { assert s.count == 7; } });
        return 0;
    }

    public static int exceptionInThread(int x) { //: defect IllegalStateException
        Suite s = new Suite();
        both(() -> s.seen = x, () -> {
            if (s.seen == 7) {
                throw new IllegalStateException("seven");
            }
        });
        return 0;
    }

    public static int handledException() { //:
        Suite s = new Suite();
        Thread t = new Thread(() -> { throw new IllegalStateException(); });
        t.setUncaughtExceptionHandler((thread, e) -> s.seen = 1);
        t.start();
        join(t);
        assert s.seen == 1;
        return s.seen;
    }

    public static int interruptedSleep() { //:
        AtomicInteger n = new AtomicInteger();
        Thread t = new Thread(() -> {
            try {
                Thread.sleep(1000);
                n.set(1);
            } catch (InterruptedException e) {
                n.set(2);
            }
        });
        t.start();
        t.interrupt();
        join(t);
        assert n.get() != 0;
        return n.get();
    }

    public static int interruptedWait() { //:
        Object lock = new Object();
        AtomicInteger n = new AtomicInteger();
        Thread t = new Thread(() -> {
            synchronized (lock) {
                while (n.get() == 0) {
                    try {
                        lock.wait();
                    } catch (InterruptedException e) {
                        n.set(1);
                    }
                }
            }
        });
        t.start();
        t.interrupt();
        join(t);
        assert n.get() == 1;
        return n.get();
    }

    public static int parkAndUnpark() { //:
        Suite s = new Suite();
        Thread t = new Thread(() -> {
            while (!s.open) {
                LockSupport.park();
            }
        });
        t.start();
        s.open = true;
        LockSupport.unpark(t);
        join(t);
        return 0;
    }

    public static int unparkTooEarly() { //: defect deadlock
        Suite s = new Suite();
        Thread t = new Thread(() -> {
            while (!s.open) {
                LockSupport.park();
            }
        });
        t.start();
        LockSupport.unpark(t);
        s.open = true;
        join(t);
        return 0;
    }

    public static int reentrantLock() { //:
        ReentrantLock lock = new ReentrantLock();
        Suite s = new Suite();
        Runnable add = () -> {
            lock.lock();
            try {
                s.count++;
            } finally {
                lock.unlock();
            }
        };
        both(add, add);
        assert s.count == 2;
        return s.count;
    }

    public static int latch() throws InterruptedException { //:
        CountDownLatch latch = new CountDownLatch(1);
        Suite s = new Suite();
        new Thread(() -> {
            s.count = 1;
            latch.countDown();
        }).start();
        latch.await();
        assert s.count == 1;
        return s.count;
    }

    public static int latchNeverOpened() throws InterruptedException { //: defect deadlock
        CountDownLatch latch = new CountDownLatch(2);
        new Thread(latch::countDown).start();
        latch.await();
        return 0;
    }

    public static int semaphore() throws InterruptedException { //:
        Semaphore permits = new Semaphore(1);
        Suite s = new Suite();
        Runnable add = () -> {
            permits.acquireUninterruptibly();
            s.count++;
            permits.release();
        };
        both(add, add);
        assert s.count == 2;
        return s.count;
    }

    static class One {
        static int value = 1;
        static {
            value += Two.value;
        }
    }

    static class Two {
        static int value = 1;
        static {
            value += One.value;
        }
    }

    public static int initialisersWaitForEachOther() { //: defect deadlock
        both(() -> { int a = One.value; }, () -> { int b = Two.value; });
        return 0;
    }

    static class Three {
        static int value = 3;
    }

    public static int initialisedOnce() { //:
        int[] got = new int[2];
        both(() -> got[0] = Three.value, () -> got[1] = Three.value);
        assert got[0] == 3 && got[1] == 3;
        return 0;
    }

    static void philosopher(Object left, Object right) {
        synchronized (left) {
            synchronized (right) {
            }
        }
    }

    public static int philosophers() { //: defect deadlock
        Object a = new Object(), b = new Object(), c = new Object();
        Thread one = new Thread(() -> philosopher(a, b)), two = new Thread(() -> philosopher(b, c));
        one.start();
        two.start();
        philosopher(c, a);
        join(one);
        join(two);
        return 0;
    }

    public static int leftPhilosopher() { //:
        Object a = new Object(), b = new Object(), c = new Object();
        Thread one = new Thread(() -> philosopher(a, b)), two = new Thread(() -> philosopher(b, c));
        one.start();
        two.start();
        philosopher(a, c);
        join(one);
        join(two);
        return 0;
    }

    public static int threadLocal() { //:
        ThreadLocal<Integer> local = ThreadLocal.withInitial(() -> 1);
        AtomicInteger sum = new AtomicInteger();
        Runnable add = () -> {
            local.set(local.get() + 1);
            sum.addAndGet(local.get());
        };
        both(add, add);
        assert sum.get() == 4 && local.get() == 1;
        return sum.get();
    }

    static class Cell {
        final int value;
        final Cell next;

        Cell(int value, Cell next) {
            this.value = value;
            this.next = next;
        }
    }

    public static int treiberStack() { //:
        AtomicReference<Cell> top = new AtomicReference<>();
        both(() -> push(top, 1), () -> push(top, 2));
        Cell first = top.get();
        assert first != null && first.next != null && first.next.next == null;
        return first.value;
    }

    static void push(AtomicReference<Cell> top, int value) {
        Cell old;
        do {
            old = top.get();
        } while (!top.compareAndSet(old, new Cell(value, old)));
    }

    public static int stackThatForgets() { //: defect AssertionError
        AtomicReference<Cell> top = new AtomicReference<>();
        both(() -> top.set(new Cell(1, top.get())), () -> top.set(new Cell(2, top.get())));
        Cell first = top.get();
        assert first.next != null;
        return first.value;
    }

    public static int threadReturnsLate() { //:
        Suite s = new Suite();
        new Thread(() -> s.seen = 1).start();
        return s.seen;
    }

    public static int waitsAfterReturn() { //: defect deadlock
        Object lock = new Object();
        new Thread(() -> {
            synchronized (lock) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                }
            }
        }).start();
        return 0;
    }

    public static int waitOnInput(Suite s) throws InterruptedException { //: defect deadlock
        boolean had = s.ready;
        Thread t = new Thread(s::await);
        t.start();
        s.signalQuietly();
        join(t);
        return had ? 1 : 0;
    }

    synchronized void takeIf() {
        if (count == 0) pause();
        assert count > 0;
        count--;
    }

    synchronized void takeWhile() {
        while (count == 0) pause();
        assert count > 0;
        count--;
    }

    synchronized void put(int items, boolean wakesAll) {
        count += items;
        if (wakesAll) notifyAll();
        else notify();
    }

    void pause() {
        try {
            wait();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static int twoTakers(Suite s, Runnable taker, Runnable giver) {
        Thread one = new Thread(taker, "A"), two = new Thread(taker, "B");
        one.start();
        two.start();
        giver.run();
        join(one);
        join(two);
        return s.count;
    }

    public static int bothWakeForOneItem() { //: defect AssertionError
        Suite s = new Suite();
        return twoTakers(s, s::takeIf, () -> { s.put(1, true); s.put(1, true); });
    }

    public static int bothLookAgain() { //:
        Suite s = new Suite();
        return twoTakers(s, s::takeWhile, () -> { s.put(1, true); s.put(1, true); });
    }

    public static int oneIsNeverWoken() { //: defect deadlock
        Suite s = new Suite();
        return twoTakers(s, s::takeWhile, () -> s.put(2, false));
    }

    public static int eachIsWoken() { //:
        Suite s = new Suite();
        return twoTakers(s, s::takeWhile, () -> s.put(2, true));
    }

    public static int wokenBetweenTwoLooks() { //: defect AssertionError
        Suite s = new Suite();
        Thread t = new Thread(() -> {
            synchronized (s) {
                if (s.count == 0) {
                    s.pause();
                    s.seen = 5;
                }
            }
        });
        t.start();
        s.put(1, true);
        int seen;
        synchronized (s) {
            seen = s.seen;
        }
        join(t);
        assert seen == 0;
        return seen;
    }

    public static int wokenBeforeInterrupted() { //: defect AssertionError
        Suite s = new Suite();
        Thread t = new Thread(() -> {
            synchronized (s) {
                try {
                    s.wait();
                    s.seen = 1;
                } catch (InterruptedException e) {
                    s.seen = 2;
                }
            }
        });
        t.start();
        s.put(1, false);
        t.interrupt();
        join(t);
        assert s.seen == 2;
        return s.seen;
    }

    public static int oneLambdaInTwoThreads() { //:
        Runnable same = () -> List.of(1).forEach(Suite::ignore);
        both(same, same);
        return 0;
    }

    static void ignore(int item) {
    }

    synchronized void signalQuietly() {
        notifyAll();
    }

    public static int signalInput(Suite s) { //:
        both(s::await, s::signal);
        return 0;
    }

    volatile boolean wantsA, wantsB;
    volatile int turn;

    /** Peterson's lock for two threads. */
    void peterson(boolean isA, boolean asksLate) {
        if (isA) {
            if (!asksLate) {
                wantsA = true;
            }
            turn = 2;
            while (wantsB && turn == 2) {
                Thread.onSpinWait();
            }
            wantsA = true;
        } else {
            wantsB = true;
            turn = 1;
            while (wantsA && turn == 1) {
                Thread.onSpinWait();
            }
        }
        int before = seen;
        seen = before + 1;
        if (isA) {
            wantsA = false;
        } else {
            wantsB = false;
        }
    }

    public static int petersonsLock() { //:
        Suite s = new Suite();
        both(() -> s.peterson(true, false), () -> s.peterson(false, false));
        assert s.seen == 2;
        return s.seen;
    }

    public static int petersonsLockAskedLate() { //: defect AssertionError
        Suite s = new Suite();
        both(() -> s.peterson(true, true), () -> s.peterson(false, false));
        assert s.seen == 2;
        return s.seen;
    }

    /** A barrier: the last of two lets the others go. */
    synchronized void arrive(int parties) {
        count++;
        notifyAll();
        while (count < parties) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    public static int barrier() { //:
        Suite s = new Suite();
        both(() -> s.arrive(2), () -> s.arrive(2));
        return s.count;
    }

    public static int barrierForOneMore() { //: defect deadlock
        Suite s = new Suite();
        both(() -> s.arrive(2), () -> s.arrive(3));
        return s.count;
    }

    /** A lock for readers and writers: `count` readers, -1 for a writer. */
    synchronized boolean enters(boolean isWriter, boolean isCareful) {
        if (isWriter ? count == 0 || (!isCareful && count > 0) : count >= 0) {
            count = isWriter ? -1 : count + 1;
            return true;
        }
        return false;
    }

    static int readAndWrite(boolean isCareful) {
        Suite s = new Suite();
        both(() -> {
            if (s.enters(false, isCareful)) {
                int before = s.seen;
                assert before == s.seen;
                synchronized (s) {
                    s.count--;
                }
            }
        }, () -> {
            if (s.enters(true, isCareful)) {
                s.seen = 7;
            }
        });
        return s.seen;
    }

    public static int readersKeepWritersOut() { //:
        return readAndWrite(true);
    }

    public static int writerIgnoresReaders() { //: defect AssertionError
        return readAndWrite(false);
    }

    static class Reused {
        volatile Reused next;
        volatile boolean isFree;
    }

    /** One thread pops the first cell; the other pops both and pushes the first one back, or a new one. */
    static int popWhileReused(boolean isReused) {
        Reused second = new Reused(), first = new Reused();
        first.next = second;
        AtomicReference<Reused> top = new AtomicReference<>(first);
        both(() -> {
            Reused old = top.get();
            if (old == null) {
                return;
            }
            Reused next = old.next;
            if (top.compareAndSet(old, next)) {
                assert next == null || !next.isFree;
            }
        }, () -> {
            if (top.compareAndSet(first, second) && top.compareAndSet(second, null)) {
                second.isFree = true;
                Reused back = isReused ? first : new Reused();
                back.next = null;
                top.compareAndSet(null, back);
            }
        });
        return 0;
    }

    public static int cellIsReused() { //: defect AssertionError
        return popWhileReused(true);
    }

    public static int cellIsNew() { //:
        return popWhileReused(false);
    }

    public static int getThenSet() { //: defect AssertionError
        AtomicInteger number = new AtomicInteger();
        Runnable add = () -> number.set(number.get() + 1);
        both(add, add);
        assert number.get() == 2;
        return number.get();
    }

    public static int mergedIntoMap() { //:
        ConcurrentHashMap<String, Integer> map = new ConcurrentHashMap<>();
        map.put("key", 0);
        Runnable add = () -> map.merge("key", 1, Integer::sum);
        both(add, add);
        assert map.get("key") == 2;
        return map.get("key");
    }

    /** Waits once for a signal that is given once. */
    static int oneSignal(boolean looksAgain) {
        Suite s = new Suite();
        both(() -> {
            synchronized (s) {
                if (!s.ready) {
                    s.pause();
                }
                while (looksAgain && !s.ready) {
                    s.pause();
                }
                assert s.ready;
            }
        }, s::signal);
        return 0;
    }

    public static int wakesUpForNoReason() { //: defect AssertionError
        return oneSignal(false);
    }

    public static int looksAgainAfterWaking() { //:
        return oneSignal(true);
    }

    static int parked(boolean looksAgain) {
        Suite s = new Suite();
        Thread t = new Thread(() -> {
            do {
                LockSupport.park(s);
            } while (looksAgain && !s.open);
            assert s.open;
        });
        t.start();
        s.open = true;
        LockSupport.unpark(t);
        join(t);
        return 0;
    }

    public static int parkReturnsForNoReason() { //: defect AssertionError
        return parked(false);
    }

    public static int parksAgain() { //:
        return parked(true);
    }

    public static int weakCompareAndSetFails() { //: defect AssertionError
        AtomicInteger n = new AtomicInteger();
        boolean isSet = n.weakCompareAndSetVolatile(0, 1);
        assert isSet;
        return n.get();
    }

    public static int weakCompareAndSetInLoop() { //:
        AtomicInteger n = new AtomicInteger();
        Runnable add = () -> {
            int old;
            do {
                old = n.get();
            } while (!n.weakCompareAndSetVolatile(old, old + 1));
        };
        both(add, add);
        assert n.get() == 2;
        return n.get();
    }

    public static int weakReferenceFails() { //: defect AssertionError
        AtomicReference<String> text = new AtomicReference<>("a");
        both(() -> { }, () -> {
            text.weakCompareAndSetVolatile("a", "b");
            assert text.get() == "b";
        });
        return 0;
    }

    public static int updatedInTheLibrary() { //:
        AtomicReference<Integer> number = new AtomicReference<>(0);
        both(() -> number.updateAndGet(n -> n + 1), () -> { });
        assert number.get() == 1;
        return number.get();
    }

    public static int joinsItself() throws InterruptedException { //: defect deadlock
        Thread.currentThread().join();
        return 0;
    }

    public static int waitsAlone() throws InterruptedException { //: defect deadlock
        Object lock = new Object();
        synchronized (lock) {
            lock.wait();
        }
        return 0;
    }

    public static int parksAlone() { //: defect deadlock
        LockSupport.park();
        return 0;
    }

    public static int parksWithPermit() { //:
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        return 0;
    }

    public static int acquiresAlone() throws InterruptedException { //: defect deadlock
        new Semaphore(0).acquire();
        return 0;
    }

    public static int acquiresTooMany(int permits) throws InterruptedException { //: defect deadlock
        if (permits >= 0 && permits < 6) {
            new Semaphore(permits).acquire(3);
        }
        return 0;
    }

    public static int upgradesReadLock() { //: defect deadlock
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        lock.readLock().lock();
        lock.writeLock().lock();
        return 0;
    }

    public static int stampedLockIsNotReentrant() { //: defect deadlock
        StampedLock lock = new StampedLock();
        lock.writeLock();
        lock.writeLock();
        return 0;
    }

    public static int takesFromEmptyQueue() throws InterruptedException { //: defect deadlock
        new LinkedBlockingQueue<String>().take();
        return 0;
    }

    public static int futureThatNobodyCompletes() throws Exception { //: defect deadlock
        new CompletableFuture<String>().get();
        return 0;
    }

    public static int locksTwice() { //:
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.lock();
        lock.unlock();
        lock.unlock();
        return 0;
    }

    public static int waitsALittle() throws InterruptedException { //:
        Object lock = new Object();
        synchronized (lock) {
            lock.wait(10);
        }
        LockSupport.parkNanos(10);
        Thread.currentThread().join(10);
        return 0;
    }
}
