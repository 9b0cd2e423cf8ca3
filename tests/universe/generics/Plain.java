// A type variable without a bound may be anything.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer int[]
public class Plain<T> {
    T value;
    boolean isSet;

    boolean repOK() {
        return isSet == (value != null);
    }

    public void set(T given) {
        value = given;
        isSet = true;
    }

    public void setRight(T given) {
        value = given;
        isSet = given != null;
    }

    public void text() {
        assert !(value instanceof String);
    }

    public void numbers() {
        assert !((Object) value instanceof int[]);
    }

    public boolean same(T given) {
        if (given != null && given == value) {
            isSet = false;
        }
        return isSet;
    }

    public static <U> void method(U given) {
        assert !(given instanceof Integer);
    }
}
