// Checks that parameters, fields and results are not null unless somebody says that they may be.
//! check --scope 2: parameter, field, result, unset, maybe
public class NonNullDefaults {
    private Object there; // broken by unset
    private /*@ nullable @*/ Object perhaps;

    //@ ensures \result;
    public boolean parameter(Object o) {
        return o != null;
    }

    //@ ensures \result;
    public boolean field() {
        return there != null;
    }

    public Object result() { // broken by result
        return perhaps;
    }

    public void unset() {
        there = null;
    }

    public /*@ nullable @*/ Object maybe(/*@ nullable @*/ Object o) {
        return o == null ? perhaps : null;
    }
}
