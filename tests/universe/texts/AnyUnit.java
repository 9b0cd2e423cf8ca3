// Texts of any units of UTF-16: what goes wrong needs a character that is not Latin-1, a pair of surrogates, or one that is alone.
// scope: 2
// domain: string a\u00df\u0149\u20ac\ud83d\ude00; char a \u20ac
// lazuli: --unicode
import java.nio.charset.StandardCharsets;

public class AnyUnit {
    String text;

    boolean repOK() {
        return text != null;
    }

    public void euro() {
        assert text.isEmpty() || text.charAt(0) != '\u20ac';
    }

    public void face() {
        assert text.isEmpty() || text.codePointAt(0) != 0x1F600;
    }

    public void alone() {
        assert text.length() != 1 || !Character.isSurrogate(text.charAt(0));
    }

    public void longer() {
        assert text.length() != 1 || text.equals("\u00df") || text.toUpperCase().length() == 1;
    }

    public void bytes() {
        assert text.getBytes(StandardCharsets.UTF_8).length <= 2 * text.length();
    }

    public void points() {
        assert text.codePointCount(0, text.length()) == text.length();
    }

    public int hash() {
        return 1 / (text.hashCode() - "a\u20ac".hashCode());
    }

    public void equal() {
        assert !text.equals("\u20ac\u00df");
    }

    public void given(char letter) {
        assert text.lastIndexOf(letter) < 1 || letter == 'a';
    }

    public void joined() {
        assert !(text + "a").equals("\u20aca");
    }

    public void half() {
        assert text.length() != 2 || text.substring(1).equals("a") || text.charAt(0) != '\u20ac';
    }

    public void latin() {
        assert text.indexOf('a') < 2;
    }
}
