// First in, first out.
//! values: 0 1 2
import java.util.*;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Queue {
    public static void main(String[] args) {
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        int first = Verifier.nondetInt(), second = Verifier.nondetInt();
        queue.addLast(first);
        queue.addLast(second); // wrong: queue.addFirst(second);
        assert queue.removeFirst() == first;
    }
}
