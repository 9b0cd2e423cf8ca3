// No number is comparable with texts.
// scope: 1
// domain: int 0 1; string a b c
// wide: Integer String
public class ComparableOfText {
    public static int after(Comparable<String> given) {
        return given == null || given.compareTo("b") >= 0 ? 0 : 1 / (given.compareTo("a") + 1);
    }

    public static void never(Comparable<String> given) {
        try {
            assert given == null || given.compareTo("b") >= 0;
        } catch (ClassCastException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
