// Checks a sparse switch.
// target: LookupSwitch.choose
// domain: int -1000 -1 0 7 8 1000 100000 MIN
public class LookupSwitch {
    static int choose(int value) {
        switch (value) {
            case -1000:
                return 1;
            case 7:
                return 2;
            case 100000:
                return 3;
            default:
                return value < 0 ? 4 : 5;
        }
    }
}
