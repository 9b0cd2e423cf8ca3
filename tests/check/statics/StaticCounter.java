// Checks a static field without an initialiser, which is an input.
// target: StaticCounter.increment
// statics: count
// domain: int -1..3
public class StaticCounter {
    static int count;

    static int increment(int limit) {
        if (count >= limit) {
            throw new IllegalStateException("limit");
        }
        return ++count;
    }
}
