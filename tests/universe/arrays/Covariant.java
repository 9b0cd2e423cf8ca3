// An array may be of a subtype of what its place says.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer Object[] String[] Integer[] int[][]
public class Covariant {
    static class Top { }

    static class Sub extends Top { }

    Object[] held;

    boolean repOK() {
        return held != null && held.length == 1;
    }

    public void storeHeld() {
        held[0] = Boolean.TRUE;
    }

    public void replaceHeld() {
        held = new Object[] {held[0]};
    }

    public static void storeObject(Object[] given) {
        if (given != null && given.length == 1) {
            given[0] = "";
        }
    }

    public static void storeTop(Top[] given) {
        if (given != null && given.length == 1) {
            given[0] = new Top();
        }
    }

    public static void storeNull(Object[] given) {
        if (given != null && given.length == 1) {
            given[0] = null;
        }
    }

    public static void storeBehind(Object given) {
        if (given instanceof Object[] array && array.length == 1) {
            array[0] = given;
        }
    }

    public static void isString(Object[] given) {
        assert !(given instanceof String[]);
    }
}
