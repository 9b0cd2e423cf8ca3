// Checks the equality of two strings, which may be the same object.
// target: StringEquals.run
// scope: 2
// domain: string ab; int -1..3
public class StringEquals {
    static boolean run(String left, String right) {
        return left.equals(right);
    }
}
