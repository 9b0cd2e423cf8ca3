// Checks a box whose declared type is Object.
// target: BoxOfObject.same
// scope: 2
// domain: int -1 5
public class BoxOfObject {
    static boolean same(Integer left, Object right) {
        return left != null && right == left && left == 5;
    }
}
