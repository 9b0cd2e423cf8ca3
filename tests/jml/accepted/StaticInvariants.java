// Checks that what is said of static fields is assumed before and checked after.
//! check --scope 2: count, reset
public class StaticInvariants {
    private static int total;

    //@ static invariant total >= 0; // broken by reset

    //@ ensures \result >= 0;
    public static int count() {
        return total;
    }

    public static void reset() {
        total = -1;
    }
}
