// Checks that this is refused: a model field that stands for itself.
public class ModelOfItself {
    int value;
    int[] items;
    ModelOfItself next;
    //@ ghost int count = 0;
    //@ model int model;
    //@ model int circle;
    //@ represents circle = circle + 1;
    //@ model int seen;
    //@ represents seen = value;

    //@ ensures circle > 0;
    public int target(int x, ModelOfItself other) {
        return x;
    }
}
