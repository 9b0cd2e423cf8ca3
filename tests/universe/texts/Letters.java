// Characters and lengths of a text.
// scope: 2
// domain: string aZ; char a Z; int 0 1 2
public class Letters {
    String text;
    int size;

    boolean repOK() {
        return text != null && size == text.length();
    }

    public void letter(char given) {
        assert text.indexOf(given) < 1;
    }

    public void append() {
        if (size == 2) {
            text = text + "a";
            size++;
        }
    }

    public void forget() {
        text = "";
    }

    public char at(int index) {
        return text.charAt(index);
    }

    public void upper() {
        assert size == 0 || !Character.isUpperCase(text.charAt(size - 1));
    }

    public int hash() {
        return 1 / (text.hashCode() - "aZ".hashCode());
    }
}
