// Checks characters that are put together one by one.
// target: BuilderAppends.twice
// scope: 1
// domain: char a..b \u0161
public class BuilderAppends {
    static boolean twice(char first, char second) {
        StringBuilder builder = new StringBuilder();
        builder.append(first).append(second);
        return builder.toString().equals("ab");
    }
}
