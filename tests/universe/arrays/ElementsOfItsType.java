// What an array holds is of its type: an array whose element is known cannot turn out to be one that does not take that element.
// scope: 1
// objects: 3
// domain: int 0 1
// wide: Object[] String[] Integer
public class ElementsOfItsType {
    static class Top { }

    static class Sub extends Top { }

    public static void itself(Object[] given) {
        if (given != null && given.length == 1 && given[0] == given) {
            assert !(given instanceof Top[]);
        }
    }

    public static void top(Object[] given) {
        if (given != null && given.length == 1 && given[0] != null && given[0].getClass() == Top.class) {
            assert !(given instanceof Sub[]);
        }
    }

    public static void sub(Object[] given) {
        if (given != null && given.length == 1 && given[0] instanceof Sub) {
            assert !(given instanceof Top[]);
        }
    }

    public static void text(Object[] given) {
        if (given != null && given.length == 1 && given[0] instanceof String) {
            assert !(given instanceof Top[]);
        }
    }

    public static void kept(Object[] given) {
        if (given != null && given.length == 1) {
            Object first = given[0];
            if (first != null && given instanceof Sub[]) {
                assert first instanceof Sub;
            }
        }
    }
}
