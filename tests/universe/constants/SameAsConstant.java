// A caller may pass in, and a field may hold, the very object that a literal, a cache or a static field has: brute force makes objects of its own.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer
// goes-wrong: literal literalBehind small smallBehind large flag type typeBehind copied elements
public class SameAsConstant {
    static final Integer LARGE = 1000;
    static final String COPY = new String("a");

    String text;
    Object any;
    Integer number;
    Class<?> type;
    String[] texts;

    public void literal() {
        assert text != "a";
    }

    public void literalBehind() {
        assert any != "a";
    }

    public void small() {
        assert number != Integer.valueOf(1);
    }

    public void smallBehind() {
        assert any != (Object) Integer.valueOf(1);
    }

    public void large() {
        assert number != LARGE;
    }

    public void flag() {
        assert any != Boolean.TRUE;
    }

    public void type() {
        assert type != String.class;
    }

    public void typeBehind() {
        assert any != String.class;
    }

    public void copied() {
        assert text != COPY;
    }

    public void elements() {
        assert texts == null || texts.length == 0 || texts[0] != "a";
    }

    public void equal() {
        assert text != "a" || text.equals("a");
    }
}
