// Checks that only the lowest bits of a distance count, for int and for long.
// target: Shifts.shift
// domain: int -1..2 31..33 63..65; long -1..1 MIN
public class Shifts {
    static long shift(int distance, long value) {
        if (1 << distance == 1) {
            return value >> distance;
        }
        if (-1 >>> distance == 1) {
            return value >>> distance;
        }
        return value << distance;
    }
}
