// Checks that two array parameters may be the same array.
// target: ArrayAlias.write
// scope: 2
// domain: int 0..2
public class ArrayAlias {
    static int write(int[] one, int[] other) {
        if (one.length == 0 || other.length == 0) {
            return -1;
        }
        one[0] = 1;
        other[0] = 2;
        return one[0];
    }
}
