// defect initial, empty string: Strings.capitalize throws StringIndexOutOfBoundsException
//     Strings.capitalize("");
// defect shortened, missing bounds check: Strings.abbreviate throws StringIndexOutOfBoundsException
//     Strings.abbreviate("ab", 5);
// defect extension, index not found: Strings.baseName throws StringIndexOutOfBoundsException
//     Strings.baseName("readme");
package ordinary.strings;

import java.util.ArrayList;
import java.util.List;

/** What the library does not have. */
public final class Strings {
    private Strings() {}

    public static boolean isBlank(String text) {
        return text == null || text.trim().isEmpty();
    }

    public static String capitalize(String text) {
        if (text == null || text.isEmpty()) { // defect initial: if (text == null) {
            return text;
        }
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    public static String abbreviate(String text, int length) {
        if (length < 1) {
            throw new IllegalArgumentException("length: " + length);
        }
        if (text.length() <= length) { // defect shortened:
            return text; // defect shortened:
        } // defect shortened:
        return text.substring(0, length - 1) + "~";
    }

    public static String baseName(String file) {
        int dot = file.lastIndexOf('.');
        return dot < 0 ? file : file.substring(0, dot); // defect extension: return file.substring(0, dot);
    }

    public static String padLeft(String text, int width) {
        StringBuilder padded = new StringBuilder();
        for (int i = text.length(); i < width; i++) {
            padded.append(' ');
        }
        return padded.append(text).toString();
    }

    public static boolean isPalindrome(String text) {
        for (int i = 0, j = text.length() - 1; i < j; i++, j--) {
            if (text.charAt(i) != text.charAt(j)) {
                return false;
            }
        }
        return true;
    }

    public static int count(String text, char wanted) {
        int count = 0;
        for (char c : text.toCharArray()) {
            if (c == wanted) {
                count++;
            }
        }
        return count;
    }

    public static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text.split(" ")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }
}
