// Checks the capitals of a text, some of which are no Latin-1 or more than one letter.
// target: StringUpperCase.run
// scope: 2
// domain: string aZ{\u00b5\u00df\u00ff
public class StringUpperCase {
    static int run(String text) {
        String large = text.toUpperCase();
        return large == text ? 1 : large.length() > text.length() ? 2 : large.charAt(0) > 255 ? 3 : 4;
    }
}
