// An argument of type Object may be of many kinds.
// scope: 2
// objects: 2
// domain: int 0 1; string a
// wide: String Integer Boolean Character int[] boolean[] Object[] String[] Own[]
public class AnyArgument {
    static class Own { int n; }

    enum Colour { RED, GREEN }

    record Pair(int one, Object two) { }

    public static void text(Object given) {
        assert !(given instanceof String s) || !s.equals("a");
    }

    public static void flag(Object given) {
        assert !(given instanceof Boolean b) || !b;
    }

    public static void letter(Object given) {
        assert !(given instanceof Character c) || c != 'b';
    }

    public static void flags(Object given) {
        assert !(given instanceof boolean[] b) || b.length == 0 || b[0];
    }

    public static void owns(Object given) {
        assert !(given instanceof Own[] o) || o.length == 0 || o[0] == null;
    }

    public static void colour(Object given) {
        assert given != Colour.GREEN;
    }

    public static void pair(Object given) {
        assert !(given instanceof Pair p) || p.two() == null;
    }

    public static void nested(Object given) {
        assert !(given instanceof Object[] a) || a.length == 0 || !(a[0] instanceof String);
    }

    public static void cast(Object given) {
        if (given instanceof Own) {
            ((Own) given).n = 1;
        } else if (given instanceof int[] numbers && numbers.length == 1) {
            assert ((int[]) given)[0] == numbers[0];
        }
    }
}
