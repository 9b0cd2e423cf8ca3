// A field of an interface of the JDK may hold an object of which nothing is known.
// scope: 1
// domain: int 0 1
// wide: String
import java.util.Comparator;
import java.util.function.IntSupplier;

public class Strategy {
    Comparator<Object> order;
    Runnable task;
    int size;

    boolean repOK() {
        return size >= 0;
    }

    public void ordered() {
        if (order != null) {
            throw new AssertionError();
        }
    }

    public void bothGiven() {
        if (order != null && task != null) {
            size = -1;
        }
    }

    public void sameAs(Runnable given) {
        if (given != null && given == task) {
            size = -1;
        }
    }

    public void unordered() {
        if (order == null) {
            size = 0;
        }
    }

    public static void supplied(IntSupplier given) {
        if (given != null) {
            throw new AssertionError();
        }
    }
}
