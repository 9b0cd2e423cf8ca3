// Checks that every clause is asked for, also where a technique sees an earlier one broken by objects that are not valid.
//! check --scope 2: lower, shrink, rise
public class SeveralInvariants {
    private int from;
    private int to;
    private int[] marks = {};

    //@ invariant from >= 0;
    //@ invariant to >= from; // broken by lower
    //@ invariant marks != null && marks.length >= from; // broken by shrink

    public void lower() {
        to--;
    }

    public void shrink() {
        marks = new int[0];
    }

    public void rise() {
        to = from;
    }
}
