// Checks that this is refused: a model field that stands for nothing.
public class ModelWithoutValue {
    int value;
    int[] items;
    ModelWithoutValue next;
    //@ ghost int count = 0;
    //@ model int model;
    //@ model int circle;
    //@ represents circle = circle + 1;
    //@ model int seen;
    //@ represents seen = value;

    //@ ensures model > 0;
    public int target(int x, ModelWithoutValue other) {
        return x;
    }
}
