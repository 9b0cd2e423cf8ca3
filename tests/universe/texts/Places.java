// Texts as arguments, elements of arrays, and behind wider types.
// scope: 1
// domain: string ab
// wide: String String[] Object[]
public class Places {
    String own;
    String[] all;

    boolean repOK() {
        return own != null && all != null && all.length == 1 && all[0] != null;
    }

    public void sameWord(String given) {
        if (own.equals(given)) {
            own = null;
        }
    }

    public void sameObject(Object given) {
        if (given == own) {
            own = null;
        }
    }

    public void element() {
        assert !all[0].equals("b");
    }

    public void elementIsOwn() {
        assert all[0] != own;
    }

    public void emptyText() {
        assert !all[0].isEmpty() || !own.isEmpty();
    }

    public void store(Object given) {
        if (given instanceof String s && s.length() == 1) {
            own = s;
        }
    }

    public static int first(CharSequence given) {
        return given == null ? 0 : given instanceof String s ? s.charAt(0) : 0;
    }
}
