// Checks the comparison with a literal, by value and by identity.
// target: StringLiteral.run
// scope: 2
// domain: string abc; int -1..3
public class StringLiteral {
    static int run(String text) {
        if (text == "ab") {
            return -1;
        }
        return "ab".equals(text) ? 1 : 0;
    }
}
