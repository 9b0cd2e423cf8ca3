// A comparator puts boxes and texts in an order of what they hold: it cannot tell two boxes of one number apart.
import java.util.Comparator;

public class Boxed {
    public static void itself(Comparator<Integer> order, int number) {
        assert order.compare(number, number) == 0;
    }

    public static void reversed(Comparator<Integer> order, int one, int other) {
        assert order.compare(one, other) < 0 == order.compare(other, one) > 0;
    }

    public static void transitive(Comparator<Integer> order, int one, int other, int third) {
        boolean isChain = order.compare(one, other) < 0 && order.compare(other, third) < 0;
        assert !isChain || order.compare(one, third) < 0;
    }

    public static void different(Comparator<Integer> order, int one, int other) {
        assert one == other || order.compare(one, other) != 0; //: AssertionError
    }

    public static void same(Comparator<Integer> order, Integer one, Integer other) {
        assert one.intValue() != other.intValue() || order.compare(one, other) == 0;
    }

    public static void texts(Comparator<String> order, String text) {
        assert order.compare(text + "x", text + "x") == 0;
    }

    public static void longer(Comparator<String> order, String text) {
        assert order.compare(text + "x", text) == 0; //: AssertionError
    }
}
