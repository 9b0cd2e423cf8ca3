// Checks a suffix.
// target: StringEndsWith.run
// scope: 3
// domain: string abc; int -1..3
public class StringEndsWith {
    static boolean run(String text) {
        return text.endsWith("ab");
    }
}
