// Checks the comparison with a literal by value.
// target: StringLiteral.run
// scope: 2
// domain: string abc; int -1..3
public class StringLiteral {
    static int run(String text) {
        if (text != null && text.equals("ab")) {
            return -1;
        }
        return "b".equals(text) ? 1 : 0;
    }
}
