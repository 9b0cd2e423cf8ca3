// Checks emptiness, and null.
// target: StringIsEmpty.run
// scope: 1
// domain: string a; int -1..3
public class StringIsEmpty {
    static int run(String text) {
        return text == null ? -1 : text.isEmpty() ? 0 : 1;
    }
}
