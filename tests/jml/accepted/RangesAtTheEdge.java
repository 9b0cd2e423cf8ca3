// Checks that ranges which end at the greatest or the least number end.
//! check --scope 1: edges
public class RangesAtTheEdge {
    //@ ensures (\num_of int i; Integer.MAX_VALUE - 1 <= i && i <= Integer.MAX_VALUE; true) == 2;
    //@ ensures (\num_of int i; Integer.MAX_VALUE < i && i <= 5; true) == 0;
    //@ ensures (\num_of int i; 0 <= i && i < Integer.MIN_VALUE; true) == 0;
    //@ ensures (\num_of long i; Long.MAX_VALUE <= i && i <= Long.MAX_VALUE; true) == 1;
    //@ ensures (\forall boolean b; b || !b) && (\num_of boolean b; b) == 1;
    public static void edges() {
    }
}
