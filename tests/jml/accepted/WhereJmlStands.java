// Checks that JML is found before, in and behind declarations, and that other comments are not JML.
//! check --scope 2: before, behind, lines, annotated
public class WhereJmlStands {
    private /*@ spec_public @*/ int value; //@ in state;
    private /*@ nullable @*/ java.util.function.Supplier<Object> made = () -> { return "}"; }; // not JML: ensures false;

    /* ensures false; */
    /** ensures false; */
    // @ ensures false;
    //@ ensures \result == value;
    /*@ public pure @*/ public int before() {
        char brace = '}';
        String text = "//@ ensures false;";
        return value;
    }

    public int behind()
        //@ ensures \result == value + 1; // broken by behind
    {
        return value;
    }

    //@ ensures
    //@   \result
    //@   == value;
    public int lines() {
        //@ assert value == value;
        return value;
    }

    /*@@ ensures \result == x;
     @@@*/
    @Deprecated
    @SuppressWarnings({"unused", "}"})
    public static <T> int annotated(final int x, T[] others, int... more) {
        return x;
    }
}
