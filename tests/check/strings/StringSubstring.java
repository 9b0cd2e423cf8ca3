// Checks a part that is cut out.
// target: StringSubstring.run
// scope: 2
// domain: string abc; int -1..3
public class StringSubstring {
    static int run(String text, int from) {
        String rest = text.substring(from);
        return rest.isEmpty() ? 0 : rest.charAt(0) == 'b' ? 1 : 2;
    }
}
