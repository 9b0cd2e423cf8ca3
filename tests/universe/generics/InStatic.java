// Static fields have type arguments, too.
// scope: 2
// domain: int 0 1; string a
// known: java.lang.AssertionError
public class InStatic {
    static class Node {
        int n;
    }

    static class Holder<V> {
        V value;
    }

    static Holder<String> held;

    int last;

    public void letter() {
        if (held != null && held.value != null && held.value.length() == 1) {
            last = 1;
        }
    }

    public void noLetter() {
        assert held == null || held.value == null || !held.value.equals("a");
    }
}
