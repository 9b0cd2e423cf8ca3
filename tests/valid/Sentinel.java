/** A list that ends with one node for all lists. */
public class Sentinel {
    static final Sentinel NIL = new Sentinel();

    int key;
    Sentinel next;

    static void refuseParameter(Sentinel node) {
        if (node == NIL) {
            throw new AssertionError("the sentinel");
        }
    }

    void refuseField() {
        if (next == NIL) {
            throw new AssertionError("the sentinel");
        }
    }
}
