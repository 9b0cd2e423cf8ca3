// Letters in both cases, numbers as texts, and kinds of characters.
// scope: 2
// domain: string aZ; char a Z; int 0 7 12
public class Cases {
    String text;
    int number;

    boolean repOK() {
        return text != null && number >= 0;
    }

    public void small() {
        assert !text.toLowerCase().equals("z");
    }

    public void ignoring() {
        assert !text.equalsIgnoreCase("AZ");
    }

    public void digits() {
        assert !String.valueOf(number).equals("12");
    }

    public void joined() {
        assert (text + number).length() < 4;
    }

    public void built() {
        assert !new StringBuilder().append(number).append(text).reverse().toString().equals("a7");
    }

    public void letter(char given) {
        assert !Character.isUpperCase(given) || text.indexOf(given) < 0;
    }

    public void hash() {
        assert text.hashCode() != 'a' * 31 + 'Z';
    }

    public void keep() {
        text = text.trim().toUpperCase();
    }
}
