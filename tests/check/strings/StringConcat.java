// Checks strings that are put together.
// target: StringConcat.run
// scope: 2
// domain: string ab; int -1..3
public class StringConcat {
    static boolean run(String left, String right) {
        return (left + right).equals("ab");
    }
}
