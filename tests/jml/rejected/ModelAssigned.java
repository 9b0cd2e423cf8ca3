// Checks that this is refused: a model field among what may change.
public class ModelAssigned {
    int value;
    int[] items;
    ModelAssigned next;
    //@ ghost int count = 0;
    //@ model int model;
    //@ model int circle;
    //@ represents circle = circle + 1;
    //@ model int seen;
    //@ represents seen = value;

    //@ assignable seen;
    public int target(int x, ModelAssigned other) {
        return x;
    }
}
