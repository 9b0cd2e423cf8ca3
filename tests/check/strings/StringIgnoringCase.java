// Checks a comparison that ignores case.
// target: StringIgnoringCase.run
// scope: 2
// domain: string aAk\u00b5\u00ff\u00c0\u00e0@`
public class StringIgnoringCase {
    static int run(String text) {
        return text.equalsIgnoreCase("Ak") ? 1 : text.equalsIgnoreCase("\u00c0") ? 2 : text.hashCode() == 97 ? 3 : 4;
    }
}
