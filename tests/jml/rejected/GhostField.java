// Checks that this is refused: the value of a ghost field, which statements in bodies would give it.
public class GhostField {
    int value;
    int[] items;
    GhostField next;
    //@ ghost int count = 0;
    //@ model int model;
    //@ model int circle;
    //@ represents circle = circle + 1;
    //@ model int seen;
    //@ represents seen = value;

    //@ ensures count >= 0 && value == 0;
    public int target(int x, GhostField other) {
        return x;
    }
}
