// Checks that a variable handle reads, compares and adds what is not known.
// target: HandleOfField.update
// scope: 1
// domain: int -1..2
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

public class HandleOfField {
    static class Node {
        int key;
    }

    static int update(Node node, int expected) throws Exception {
        VarHandle key = MethodHandles.lookup().findVarHandle(Node.class, "key", int.class);
        try {
            if (key.compareAndSet(node, expected, 5)) {
                return 1;
            }
        } catch (NullPointerException nothing) {
            return 2;
        }
        return (int) key.getAndAdd(node, 1) == 0 ? 3 : 4;
    }
}
