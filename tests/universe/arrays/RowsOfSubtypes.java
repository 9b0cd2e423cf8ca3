// An array of arrays that is passed in may be of a subtype too, in each dimension.
// scope: 1
// objects: 2
// domain: int 0 1; string a
// wide: String[][]
// subtype-array: replaceElement
public class RowsOfSubtypes {
    static class Top { }

    static class Sub extends Top { }

    interface Face { }

    static class Shown extends Top implements Face { }

    public static void replaceRow(Top[][] given) {
        if (given != null && given.length == 1) {
            given[0] = new Top[1];
        }
    }

    public static void replaceAnyRow(Object[][] given) {
        if (given != null && given.length == 1) {
            given[0] = new Object[0];
        }
    }

    public static void replaceBehind(Object given) {
        if (given instanceof Top[][] rows && rows.length == 1) {
            rows[0] = new Top[0];
        }
    }

    public static void replaceElement(Top[][] given) {
        if (given != null && given.length == 1 && given[0] != null && given[0].length == 1) {
            given[0][0] = new Top();
        }
    }

    public static void isSub(Top[][] given) {
        assert !(given instanceof Sub[][]);
    }

    public static void isFace(Top[][] given) {
        assert !((Object) given instanceof Face[][]);
    }

    public static void clear(Top[][] given) {
        if (given != null && given.length == 1) {
            given[0] = null;
        }
    }

    public static void numbers(int[][] given) {
        if (given != null && given.length == 1) {
            given[0] = new int[0];
        }
    }
}
