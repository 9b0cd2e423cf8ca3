// Checks a recursion whose depth is an input.
// target: Fibonacci.fibonacci
// domain: int -1..6
public class Fibonacci {
    static int fibonacci(int n) {
        if (n > 5) {
            throw new UnsupportedOperationException();
        }
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }
}
