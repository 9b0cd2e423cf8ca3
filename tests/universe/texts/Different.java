// Two texts that an invariant compares.
// scope: 2
// domain: string ab
public class Different {
    String left;
    String right;

    boolean repOK() {
        return left != null && right != null && !left.equals(right);
    }

    public void word() {
        assert !left.equals("ab");
    }

    public void length() {
        assert right.length() != 2;
    }

    public void lengths() {
        assert left.length() != 2 || right.length() != 2;
    }

    public void swap() {
        String kept = left;
        left = right;
        right = kept;
    }

    public void copy() {
        if (left.length() == 1) {
            right = left;
        }
    }
}
