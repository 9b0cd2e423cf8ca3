// Checks a part.
// target: StringContains.run
// scope: 3
// domain: string abc; int -1..3
public class StringContains {
    static boolean run(String text) {
        return text.contains("ab");
    }
}
