// Checks the length of a string.
// target: StringLength.run
// scope: 3
// domain: string ab; int -1..3
public class StringLength {
    static int run(String text) {
        return text.length() > 1 ? text.length() : -1;
    }
}
