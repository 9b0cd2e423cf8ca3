// An object that turns out to be of one of several classes keeps the fields that these share.
// scope: 1
// objects: 3
// domain: int 0 1; string a
// wide: String Integer
public class Levels {
    static class Root {
        Object get() {
            return "root";
        }
    }

    static abstract class Middle extends Root {
        Object item;

        @Override
        Object get() {
            return item;
        }
    }

    static class One extends Middle { }

    static class Two extends Middle {
        int extra;
    }

    public static int box(Root given) {
        return given != null && given.get() instanceof Integer ? 1 / 0 : 1;
    }

    public static int text(Root given) {
        return given != null && given.get() instanceof String s && s.equals("a") ? 1 / 0 : 1;
    }

    public static int two(Root given) {
        return given instanceof Two two && two.get() == given ? 1 / two.extra : 1;
    }

    public static int never(Root given) {
        return given != null && given.get() == null && !(given instanceof Middle) ? 1 / 0 : 1;
    }
}
