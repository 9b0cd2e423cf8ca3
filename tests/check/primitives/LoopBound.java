// Checks a loop whose bound is an input, and one within.
// target: LoopBound.triangle
// domain: int -1..4
public class LoopBound {
    static int triangle(int n) {
        if (n < 0 || n > 3) {
            return -1;
        }
        int sum = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                sum++;
            }
        }
        return sum;
    }
}
