// Checks the small letters of a text.
// target: StringLowerCase.run
// scope: 2
// domain: string aZ[@\u00b5\u00c0\u00d7\u00df\u00ff
public class StringLowerCase {
    static int run(String text) {
        String small = text.toLowerCase();
        return small == text ? 1 : small.equals("z\u00e0") ? 2 : 3;
    }
}
