// Checks that int arithmetic wraps around.
// target: IntWrap.wraps
// domain: int -1..1 MIN MAX
public class IntWrap {
    static int wraps(int a, int b) {
        if (a + 1 < a) {
            return 1;
        }
        if (-b == b && b != 0) {
            return 2;
        }
        return a > 0 && b > 0 && a + b < 0 ? 3 : a * 3 + b;
    }
}
