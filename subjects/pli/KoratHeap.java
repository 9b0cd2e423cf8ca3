package pli;

/** A binomial heap whose invariant looks at every key, as that of Korat's example does; the subject's own looks only at those below others. */
public class KoratHeap extends BinomialHeap {
    @Override
    boolean repOK() {
        if (!super.repOK()) {
            return false;
        }
        int sum = 0;
        for (Node root = Nodes; root != null; root = root.sibling) {
            sum += root.key;
        }
        return true;
    }
}
