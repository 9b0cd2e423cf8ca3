// Checks properties of a character of sixteen bits.
// target: CharacterKinds.run
// scope: 1
// domain: char 0 9 a Z \u00df \u0130 \u01c5 \u03a3 \u0660 \u2003 \ud83d \udc00 \uff21 \uffff
public class CharacterKinds {
    static int run(char c) {
        if (Character.isWhitespace(c)) {
            return 1;
        }
        if (Character.digit(c, 10) >= 0) {
            return Character.getNumericValue(c) < 5 ? 2 : 3;
        }
        return Character.toLowerCase(c) != c ? 4 : Character.toUpperCase(c) != c ? 5 : Character.isLetter(c) ? 6 : 7;
    }
}
