// Checks that compareAndSet compares unknown numbers and references.
// target: AtomicUnknown.exchange
// scope: 2
// domain: int 0..2
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

public class AtomicUnknown {
    static class Node {
    }

    static int exchange(int held, int expected, Node one, Node other) {
        AtomicInteger number = new AtomicInteger(held);
        AtomicReference<Node> node = new AtomicReference<>(one);
        int result = number.compareAndSet(expected, 7) ? 1 : 0;
        return result + (node.compareAndSet(other, null) ? 2 : 0);
    }
}
