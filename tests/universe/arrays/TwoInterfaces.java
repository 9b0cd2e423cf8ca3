// Two arrays whose element types are interfaces may be one array of a class that implements both.
// scope: 1
// domain: int 0 1
// wide: Integer
public class TwoInterfaces {
    interface Left { }

    interface Right { }

    static class Both implements Left, Right { }

    public static void same(Left[] lefts, Right[] rights) {
        assert lefts == null || (Object) lefts != rights;
    }

    public static void clear(Left[] lefts, Right[] rights) {
        if (lefts != null && rights != null && lefts.length == 1 && rights.length == 1 && lefts[0] != null) {
            rights[0] = null;
            assert lefts[0] != null;
        }
    }

    public static void sameElement(Left[] lefts, Right[] rights) {
        if (lefts != null && rights != null && lefts.length == 1 && rights.length == 1) {
            assert lefts[0] == null || (Object) lefts[0] != rights[0];
        }
    }
}
