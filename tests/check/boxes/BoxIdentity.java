// Checks that boxes are compared by identity where the source says so.
// target: BoxIdentity.compare
// scope: 2
// domain: int 0..1
public class BoxIdentity {
    static int compare(Integer left, Integer right) {
        if (left == right) {
            return 0;
        }
        if (left == null || right == null) {
            return 1;
        }
        return left.intValue() == right.intValue() ? 2 : 3;
    }
}
