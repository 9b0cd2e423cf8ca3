// Checks that invariants are assumed of the receiver and of parameters, and hold again afterwards.
//! check --scope 2: add, decrement, take
public class Invariants {
    private int count;

    //@ private invariant count >= 0; // broken by decrement
    //@ invariant count <= 5;

    //@ requires count < 5;
    public void add() {
        count++;
    }

    public void decrement() {
        count--;
    }

    //@ ensures \result >= 0;
    public int take(Invariants other) {
        return other.count;
    }
}
