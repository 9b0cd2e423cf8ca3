// Measures calls: naive fib, an Ackermann function and recursive walks over a binary tree of user objects; the argument is the size of fib.
public class Recursion {
    static final class Node {
        final int key;
        Node left;
        Node right;

        Node(int key) {
            this.key = key;
        }

        void insert(int k) {
            if (k < key) {
                if (left == null) {
                    left = new Node(k);
                } else {
                    left.insert(k);
                }
            } else if (k > key) {
                if (right == null) {
                    right = new Node(k);
                } else {
                    right.insert(k);
                }
            }
        }

        int depth() {
            return 1 + Math.max(left == null ? 0 : left.depth(), right == null ? 0 : right.depth());
        }

        long sum() {
            return key + (left == null ? 0 : left.sum() * 3) + (right == null ? 0 : right.sum() * 5);
        }
    }

    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    public static void main(String[] args) {
        int n = args.length > 0 ? Integer.parseInt(args[0]) : 34;
        long sum = fib(n);
        sum = sum * 31 + ackermann(2, 4 * n);
        Node root = new Node(1 << 19);
        int x = 99;
        for (int i = 0; i < 1 << Math.max(0, n / 2 - 2); i++) {
            x = x * 1103515245 + 12345;
            root.insert(x >>> 12);
        }
        for (int i = 0; i < 10; i++) {
            sum = sum * 31 + root.sum() + root.depth();
        }
        System.out.println("Recursion " + n + " " + sum);
    }
}
