// Checks that nothing is assumed of classes without JML.
//! check --scope 2: NoJmlNoDefaults$Plain.get, read
public class NoJmlNoDefaults {
    static class Plain {
        Object value;

        public Object get(Object other) {
            return other == null ? value : null;
        }
    }

    //@ ensures \result == plain.value;
    public /*@ nullable @*/ Object read(Plain plain) {
        return plain.value;
    }
}
