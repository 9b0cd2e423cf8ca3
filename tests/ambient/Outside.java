import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** What methods take from outside: those that begin with "may" may fail on a JVM, those with "never" cannot. */
public class Outside {
    static final Random RANDOM = new Random();

    enum Side { LEFT, RIGHT }

    static void fail(boolean is) {
        if (is) throw new AssertionError();
    }

    public static void mayNanoTime() { fail(System.nanoTime() % 2 == 1); }
    public static void mayElapse() { long start = System.nanoTime(); fail(System.nanoTime() - start > 1_000_000); }
    public static void mayClock() { fail(System.currentTimeMillis() % 7 == 3); }
    public static void mayInstant() { fail(Instant.now().getNano() == 5); }
    public static void mayMath() { fail(Math.random() < 0.5); }
    public static void mayStaticRandom() { fail(RANDOM.nextInt(16) == 7); }
    public static void mayThreadLocal() { fail(ThreadLocalRandom.current().nextInt(4) == 2); }
    public static void mayUuid() { fail(UUID.randomUUID().getLeastSignificantBits() % 2 == 0); }
    public static void mayHash() { fail(new Object().hashCode() % 2 == 1); }
    public static void mayCollide() { fail(System.identityHashCode(new Object()) == System.identityHashCode(new Object())); }
    public static void mayHashOfHash() { fail(Objects.hash(new Object()) % 2 == 0); }
    public static void mayVariable() { fail(System.getenv("HOME") == null); }
    public static void mayVariables() { String one = System.getenv("A"), other = System.getenv("B"); fail(one != null && other != null && one.length() > other.length()); }
    public static void mayOrder() { fail(Set.of("a", "b").iterator().next().equals("a")); }
    public static void mayReverse() { fail(Set.of("a", "b").iterator().next().equals("b")); }
    public static void mayMapOrder() { fail(Map.of("a", 1, "b", 2, "c", 3).keySet().iterator().next().equals("a")); }
    public static void mayProcessors() { fail(Runtime.getRuntime().availableProcessors() > 64); }
    public static void mayMemory() { fail(Runtime.getRuntime().freeMemory() > 1 << 20); }

    public static void neverBack() { long start = System.nanoTime(); fail(System.nanoTime() - start < 0); }
    public static void neverOther() { Object object = new Object(); fail(object.hashCode() != System.identityHashCode(object) || object.hashCode() <= 0); }
    public static void neverTwo() { fail(System.getenv("HOME") != System.getenv("HOME")); }
    public static void neverSeeded() { fail(new Random(42).nextInt(10) != new Random(42).nextInt(10)); }
    public static void neverLost(Object one, Object other) { Set<Object> both = Collections.newSetFromMap(new IdentityHashMap<>()); both.add(one); both.add(other); fail((both.size() == 2) != (one != other)); }
    public static void neverContains(int number) { fail(Set.of(1, 2, 3).contains(number) != (number >= 1 && number <= 3)); }

    public static boolean walk(boolean isFirst) {
        Object one = new Object(), other = new Object();
        Set<Object> both = new HashSet<>();
        both.add(one);
        both.add(other);
        return both.iterator().next() == (isFirst ? one : other);
    }

    public static int sides() {
        Map<Side, Integer> sides = new HashMap<>();
        sides.put(Side.LEFT, 1);
        sides.put(Side.RIGHT, 2);
        return sides.values().iterator().next();
    }

    public static boolean lower() { return "I".toLowerCase().equals("i"); }
    public static String home() { return System.getProperty("user.home"); }
    public static int all() { return System.getenv().size(); }
    public static int read() throws java.io.IOException { return System.in.read(); }
    public static void message(int number) { if (number == 3) throw new AssertionError("bad " + new Object()); }
    public static void interrupted() { assert !Thread.interrupted(); }
    public static void named() { assert Thread.currentThread().getName().equals("main"); }
    public static void locked() { assert !Thread.holdsLock(Outside.class); }
    public static void daemon() { assert !Thread.currentThread().isDaemon(); }
    public static void slept() throws InterruptedException { Thread.sleep(1); }
    public static void deep() { assert new Throwable().getStackTrace().length == 1; }
    public static void walked() { assert StackWalker.getInstance().walk(frames -> frames.count()) == 1; }
    public static void printed(int number) { try { number = 1 / number; } catch (ArithmeticException e) { e.printStackTrace(); } }

    static class First { static int value = Second.value + 1; }
    static class Second { static int value = First.value + 1; }
    static class Counter { static int next = 1; }
    static class Numbered { static int number = Counter.next++; }
    static class Plain { static int value = Fixed.value + 1; }
    static class Fixed { static int value = 3; }

    // What these find depends on which class the code before has used first.
    public static void orderOfCircle() { fail(First.value != 2); }
    public static void orderOfNumbers() { fail(Numbered.number != 1); }
    public static void anyOrder() { fail(Plain.value != 4); }
}
