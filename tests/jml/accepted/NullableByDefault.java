// Checks that a class can say that all that it declares may be null.
//! check --scope 2: get, set
public /*@ nullable_by_default @*/ class NullableByDefault {
    private Object value;
    private /*@ non_null @*/ Object kept;  // broken by set

    public Object get() {
        return value;
    }

    public void set(Object value, Object kept) {
        this.value = value;
        this.kept = kept;
    }
}
