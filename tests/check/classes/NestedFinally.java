// Checks nested handlers, of which one throws and one returns.
// target: NestedFinally.run
// scope: 2
// domain: int -1..2
public class NestedFinally {
    int x;
    NestedFinally next;

    int run(int n) {
        int[] a = new int[2];
        try {
            try {
                a[n] = 10 / x;
                return next.x;
            } catch (ArithmeticException e) {
                x = 1;
                throw new IllegalStateException(e);
            } finally {
                x += 2;
                if (n == 1) {
                    next.x = 4;
                }
            }
        } catch (NullPointerException | IllegalStateException e) {
            return -a[n] - x;
        } finally {
            if (x == 3) {
                x = 0;
            }
        }
    }
}
