// Checks a ring that is entered, and left, at one node.
// target: QueueRing.rotate
// scope: 3
// domain: int 0
public class QueueRing {
    Node last;

    static class Node {
        Node next;
    }

    int rotate() {
        if (last == null) {
            return 0;
        }
        Node start = last;
        int steps = 0;
        do {
            last = last.next;
            steps++;
        } while (last != start && steps < 3);
        return last == start ? steps : -1;
    }
}
