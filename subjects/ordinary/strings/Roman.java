// defect table, off by one: Roman.format throws ArrayIndexOutOfBoundsException
//     Roman.format(1);
// defect letter, missing case: Roman.parse throws ArrayIndexOutOfBoundsException
//     try {
//         Roman.parse("Q");
//     } catch (NumberFormatException rejected) {
//     }
package ordinary.strings;

/** Numbers as Romans wrote them. */
public final class Roman {
    private static final int[] VALUES = {1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1};
    private static final String[] LETTERS = {"M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"};
    private static final String SINGLE = "IVXLCDM";
    private static final int[] SINGLE_VALUES = {1, 5, 10, 50, 100, 500, 1000};

    private Roman() {}

    public static String format(int number) {
        if (number < 1 || number > 3999) {
            throw new IllegalArgumentException("number: " + number);
        }
        StringBuilder text = new StringBuilder();
        int left = number;
        for (int i = 0; left > 0; i++) { // defect table: for (int i = 0; left >= 0; i++) {
            while (left >= VALUES[i]) {
                text.append(LETTERS[i]);
                left -= VALUES[i];
            }
        }
        return text.toString();
    }

    public static int parse(String text) {
        int sum = 0;
        int last = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            int letter = SINGLE.indexOf(text.charAt(i));
            if (letter < 0) { // defect letter:
                throw new NumberFormatException(text); // defect letter:
            } // defect letter:
            int value = SINGLE_VALUES[letter];
            sum += value < last ? -value : value;
            last = Math.max(last, value);
        }
        return sum;
    }
}
