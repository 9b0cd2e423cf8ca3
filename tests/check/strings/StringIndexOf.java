// Checks the position of a character.
// target: StringIndexOf.run
// scope: 3
// domain: string abc; char a..b \u0161
public class StringIndexOf {
    static int run(String text, char letter) {
        return text.indexOf(letter);
    }
}
