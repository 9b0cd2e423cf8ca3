// Methods of the JDK that are native, on references of which little is known.
// scope: 1
// domain: int 0 1; long 0 1; double 0.0 1.5; string a
// wide: String Integer Long Double int[] Object[] Integer[]
public class Reflective {
    int n;

    static Object same(Object given) {
        return given;
    }

    static int length(String given) {
        return given.length();
    }

    public static void call(String given) {
        Object result;
        try {
            result = Reflective.class.getDeclaredMethod("same", Object.class).invoke(null, given);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return;
        }
        assert result == null;
    }

    public static void callWithText(Object given) {
        int result = 0;
        try {
            result = (Integer) Reflective.class.getDeclaredMethod("length", String.class).invoke(null, given);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return;
        }
        assert result == 0;
    }

    public static void copy(Number given) {
        Object[] from = {given};
        System.arraycopy(from, 0, new Integer[1], 0, 1);
    }

    public static void copyAny(Object from) {
        if (from instanceof Object[] array && array.length == 1) {
            System.arraycopy(array, 0, new String[1], 0, 1);
        }
    }

    public static void copyFrom(Object from) {
        if (from != null) {
            System.arraycopy(from, 0, new int[1], 0, 0);
        }
    }

    public static void copyRight(Integer given) {
        Object[] from = {given};
        System.arraycopy(from, 0, new Number[1], 0, 1);
    }

    public static void field(Reflective given) {
        try {
            assert given == null || Reflective.class.getDeclaredField("n").getInt(given) == 0;
        } catch (ReflectiveOperationException e) {
            return;
        }
    }

    public static void fieldOfAny(Object given) {
        try {
            if (given != null) {
                Reflective.class.getDeclaredField("n").getInt(given);
            }
        } catch (ReflectiveOperationException e) {
            return;
        }
    }

    public static void lengthOf(Object given) {
        if (given != null) {
            java.lang.reflect.Array.getLength(given);
        }
    }

    public static void isInstance(Object given) {
        assert !CharSequence.class.isInstance(given);
    }

    public static void cast(Object given) {
        Number.class.cast(given);
    }

    public static void classOf(Object given) {
        assert given == null || given.getClass() != Integer.class;
    }

    public static void cloned(int[] given) {
        assert given == null || given.clone() != given;
    }
}
