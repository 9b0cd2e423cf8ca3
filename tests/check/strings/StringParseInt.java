// Checks numbers that are read from text.
// target: StringParseInt.run
// scope: 2
// domain: string 019+-:A[x{!
public class StringParseInt {
    static int run(String text) {
        try {
            return Integer.parseInt(text) > 5 ? 1 : 2;
        } catch (NumberFormatException wrong) {
            return 3;
        }
    }
}
