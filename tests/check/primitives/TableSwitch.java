// Checks a dense switch, with a case that falls through.
// target: TableSwitch.choose
// domain: int -1..5 MIN MAX
public class TableSwitch {
    static int choose(int value) {
        int result = 0;
        switch (value) {
            case 0:
                return 10;
            case 1:
                result = 1;
            case 2:
                return result + 20;
            case 4:
                return 40;
            default:
                return -1;
        }
    }
}
