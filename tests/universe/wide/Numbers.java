// A place of type Number, CharSequence or Comparable holds boxes and strings.
// scope: 1
// domain: int 0 1; long 0 1; double 0.0 1.5; string a
// wide: String Integer Long Double
public class Numbers {
    Number number;
    CharSequence text;

    boolean repOK() {
        return number != null || text != null;
    }

    public void isWhole() {
        assert !(number instanceof Double);
    }

    public void isSmall() {
        assert number == null || !(number instanceof Long l) || l != 1;
    }

    public void isString() {
        assert !(text instanceof String s) || !s.equals("a");
    }

    public void isOther() {
        assert text == null || text instanceof String;
    }

    public static void compared(Comparable<?> given) {
        assert !(given instanceof Integer i) || i == 0;
    }

    public static void keeps(Number given) {
        assert given == null || given instanceof Number;
    }
}
