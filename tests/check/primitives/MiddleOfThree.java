// Checks nested conditional expressions over orders of three numbers.
// target: MiddleOfThree.middle
// domain: int 0..2
public class MiddleOfThree {
    static int middle(int a, int b, int c) {
        return a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
    }
}
