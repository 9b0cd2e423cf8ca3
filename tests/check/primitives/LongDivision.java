// Checks division and remainder of longs, with a handler for the exception.
// target: LongDivision.divide
// domain: long -2..2 MIN MAX
public class LongDivision {
    static long divide(long a, long b) {
        try {
            return a / b + a % b;
        } catch (ArithmeticException byZero) {
            return a == 0 ? -1 : -2;
        }
    }
}
