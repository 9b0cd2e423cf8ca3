// What static fields hold may also be behind wider types, and in arrays.
// scope: 1
// domain: int 0 1
// wide: int[] Object[]
public class HeldBehindWide {
    static final int[] EMPTY = {};
    static final Object LOCK = new Object();
    static final Object[] NOTHING = new Object[0];

    Object any;
    int[] numbers;

    boolean repOK() {
        return numbers != null;
    }

    public void lock() {
        assert any != LOCK;
    }

    public void empty() {
        assert numbers != EMPTY;
    }

    public void emptyBehind(Object given) {
        assert given == null || given != EMPTY || any != given;
    }

    public static void element(Object[] given) {
        assert given == null || given.length == 0 || given[0] != LOCK;
    }

    public static void nothing(Object given) {
        assert given != NOTHING;
    }

    public void length() {
        assert numbers != EMPTY || numbers.length == 0;
    }
}
