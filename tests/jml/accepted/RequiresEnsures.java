// Checks that a precondition leaves inputs out, and that a postcondition is held to the result.
//! check --scope 2: half, wrongHalf, unguarded
public class RequiresEnsures {
    //@ requires x % 2 == 0;
    //@ ensures \result + \result == x;
    public static int half(int x) {
        return x / 2;
    }

    //@ requires x % 2 == 0;
    //@ ensures \result * 3 == x; // broken by wrongHalf
    public static int wrongHalf(int x) {
        return x / 2;
    }

    //@ ensures \result + \result == x; // broken by unguarded
    public static int unguarded(int x) {
        return x / 2;
    }
}
