// Checks a character at a symbolic index.
// target: StringCharAt.run
// scope: 2
// domain: string ab; int -1..3
public class StringCharAt {
    static int run(String text, int index) {
        return text.charAt(index) == 'a' ? 1 : 2;
    }
}
