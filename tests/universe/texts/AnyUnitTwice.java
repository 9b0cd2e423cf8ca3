// Two texts of any units of UTF-16 that an invariant compares, and one behind a wider type.
// scope: 2
// domain: string a\u20ac
// wide: String Integer
// lazuli: --unicode
public class AnyUnitTwice {
    String left;
    String right;
    Object more;

    boolean repOK() {
        return left != null && right != null && !left.equals(right) && left.length() == right.length();
    }

    public void word() {
        assert !right.equals("a\u20ac") || !left.equals("\u20aca");
    }

    public void both() {
        assert left.charAt(0) == 'a' || right.charAt(0) == 'a';
    }

    public void order() {
        assert left.compareTo(right) <= 0 || left.charAt(0) != '\u20ac' || right.length() == 1;
    }

    public void wider() {
        if (more instanceof String) {
            assert ((String) more).indexOf('\u20ac') != 1;
        }
    }

    public void same() {
        assert !left.equals(more) || left.hashCode() != '\u20ac';
    }

    public void swap() {
        String kept = left;
        left = right;
        right = kept;
    }
}
