// The state of an endless loop is the length of a list.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class InList {
    static class Node {
        final Node next;

        Node(Node next) {
            this.next = next;
        }
    }

    public static void main(String[] args) {
        Node list = null;
        while (true) {
            if (Verifier.nondetInt() == 1) {
                list = list == null || list.next == null ? new Node(list) : null; // wrong: list = new Node(list);
            }
            assert list == null || list.next == null || list.next.next == null;
        }
    }
}
