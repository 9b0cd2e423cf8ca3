// Checks division and remainder by zero, of negative numbers, and of the least int by -1.
// target: Division.divide
// domain: int -3..3 MIN MAX
public class Division {
    static int divide(int a, int b) {
        int quotient = a / b;
        if (quotient < 0 && a < 0 && b < 0) {
            return 1000;
        }
        return a % b < 0 ? quotient - 1 : quotient;
    }
}
