// An array may contain itself if its elements may be arrays, and else not.
// scope: 1
// domain: int 0 1
// wide: Object[] Own[] Cloneable[]
public class InsideItself {
    static class Own { }

    Object[] array;

    boolean repOK() {
        return array == null || array.length == 1;
    }

    public void held() {
        assert array == null || array[0] != array;
    }

    public static void any(Object given) {
        assert !(given instanceof Object[] a) || a.length == 0 || a[0] != a;
    }

    public static void owns(Object given) {
        assert !(given instanceof Own[] a) || a.length == 0 || (Object) a[0] != a;
    }

    public static void cloneables(Cloneable given) {
        assert !(given instanceof Cloneable[] a) || a.length == 0 || a[0] != a;
    }
}
