// Checks a prefix.
// target: StringStartsWith.run
// scope: 3
// domain: string abc; int -1..3
public class StringStartsWith {
    static boolean run(String text) {
        return text.startsWith("ab");
    }
}
