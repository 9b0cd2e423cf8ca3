// Checks characters: a switch with an arrow, and the range of a char.
// target: CharSwitch.rank
// domain: char \u0000 0 5 9 a b z \uffff
public class CharSwitch {
    static int rank(char letter) {
        if (letter >= '0' && letter <= '9') {
            return letter - '0';
        }
        return switch (letter) {
            case 'a' -> 100;
            case 'b' -> 101;
            default -> letter > 60000 ? -1 : letter < 0 ? -2 : -3;
        };
    }
}
