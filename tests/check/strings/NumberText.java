// Checks the text of a number.
// target: NumberText.run
// scope: 1
// domain: int MIN -100 -99 -10 -9 -1 0 7 9 10 12 99 100 999 MAX
public class NumberText {
    static int run(int number) {
        String text = "n" + number;
        if (text.equals("n12")) {
            return 1;
        }
        if (text.length() > 4) {
            return 2;
        }
        return text.charAt(1) == '-' ? 3 : text.endsWith("9") ? 4 : 5;
    }
}
