// Checks a loop over the characters of a string.
// target: StringCountLetter.count
// scope: 3
// domain: string ab
public class StringCountLetter {
    static int count(String text) {
        int count = 0;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == 'a') {
                count++;
            }
        }
        return count;
    }
}
