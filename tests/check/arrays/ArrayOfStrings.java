// Checks an array of strings.
// target: ArrayOfStrings.find
// scope: 2
// domain: string ab; int 0
// k: 1
public class ArrayOfStrings {
    static int find(String[] words, String wanted) {
        for (int i = 0; i < words.length; i++) {
            if (words[i].equals(wanted)) {
                return i;
            }
        }
        return -1;
    }
}
