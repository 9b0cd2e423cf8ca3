// A static field that no initialiser sets may hold anything.
// scope: 1
// objects: 3
// domain: int 0 4; string a
// wide: String int[]
public class Unset {
    static class Thing { int n; }

    static Thing thing;
    static Object any;
    static int counter;
    static String name;
    static int limit = 3;

    public static void count() {
        assert counter != 4;
    }

    public static void text() {
        assert !(any instanceof String);
    }

    public static void name() {
        assert name == null || name.isEmpty();
    }

    public static void both() {
        assert any == null || any != thing;
    }

    public static void write(int[] given) {
        if (given != null && given.length == 1) {
            given[0] = 0;
            if (any instanceof int[] numbers && numbers.length == 1) {
                numbers[0] = 1;
            }
            assert given[0] == 0;
        }
    }

    public static void limit() {
        assert limit == 3;
    }
}
