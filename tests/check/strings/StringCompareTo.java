// Checks the order of two strings.
// target: StringCompareTo.run
// scope: 2
// domain: string ab; int -1..3
public class StringCompareTo {
    static int run(String left, String right) {
        int order = left.compareTo(right);
        return order < 0 ? -1 : order > 0 ? 1 : 0;
    }
}
