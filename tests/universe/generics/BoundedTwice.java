// Two different keys of a type variable in order.
// scope: 2
// objects: 5
// domain: int 0 1
// wide: Integer
public class BoundedTwice<T extends Comparable<T>> {
    T low;
    T high;

    boolean repOK() {
        return low != null && high != null && low.compareTo(high) < 0;
    }

    public void swap() {
        T kept = low;
        low = high;
        high = kept;
    }

    public void raise(T given) {
        if (given != null) {
            low = given;
        }
    }

    public void same() {
        T kept = low;
        low = kept;
    }
}
