// Checks a switch over strings, which compares hash codes first.
// target: StringSwitch.run
// scope: 2
// domain: string abcB\u0000\u0001
public class StringSwitch {
    static int run(String text) {
        switch (text) {
            case "a":
                return 1;
            case "ba":
                return 2;
            default:
                return 3;
        }
    }
}
