// Checks that a reflective call sees whether an unknown argument is of the wrong type.
// target: ReflectiveCall.call
// scope: 2
// domain: int -200 0 1 200
import java.lang.reflect.Method;

public class ReflectiveCall {
    static class Node {
        int key;
        Node next;
    }

    static int keyOf(Node node) {
        return node == null ? -1 : node.key;
    }

    static int call(Object given) throws Exception {
        Method method = ReflectiveCall.class.getDeclaredMethod("keyOf", Node.class);
        try {
            return (int) method.invoke(null, given) > 0 ? 1 : 0;
        } catch (IllegalArgumentException mismatch) {
            return 2;
        }
    }
}
