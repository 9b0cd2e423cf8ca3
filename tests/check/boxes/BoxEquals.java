// Checks that boxes are equal by value.
// target: BoxEquals.isEqual
// scope: 2
// domain: int -1..1
public class BoxEquals {
    static boolean isEqual(Integer left, Integer right) {
        return left.equals(right);
    }
}
