// Checks that a boolean input is true or false and nothing else, and compound conditions.
// target: Booleans.decide
public class Booleans {
    static int decide(boolean a, boolean b, boolean c) {
        boolean odd = a ^ b ^ c;
        if (a && !b || c & b) {
            return odd ? 1 : 2;
        }
        return odd | a ? 3 : 4;
    }
}
