// Checks a cascade of conditions, some of which can only hold because of wrap-around.
// target: Triangle.kind
// domain: int 0..4 MAX
public class Triangle {
    static int kind(int a, int b, int c) {
        if (a <= 0 || b <= 0 || c <= 0) {
            return 0;
        }
        if (a + b <= c || b + c <= a || a + c <= b) {
            return 1;
        }
        if (a == b && b == c) {
            return 3;
        }
        return a == b || b == c || a == c ? 2 : 4;
    }
}
