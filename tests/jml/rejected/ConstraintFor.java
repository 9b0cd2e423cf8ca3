// A constraint for some methods only would have to be said of these.
public class ConstraintFor {
    int count;

    //@ constraint \old(count) <= count for target;

    public void target() {
    }
}
