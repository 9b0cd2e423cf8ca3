// Checks a text that a builder joins of a number and a text.
// target: BuiltText.run
// scope: 1
// domain: int -10 -1 0 5 10 100; string abc
public class BuiltText {
    static int run(int number, String text) {
        StringBuilder all = new StringBuilder().append(number).append(':').append(text);
        if (all.length() > 4) {
            return 1;
        }
        all.insert(0, '<').setCharAt(1, '5');
        return all.toString().equals("<5:a") ? 2 : all.reverse().charAt(0) == 'b' ? 3 : 4;
    }
}
