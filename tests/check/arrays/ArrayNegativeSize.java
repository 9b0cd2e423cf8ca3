// Checks an array that is made with a symbolic length.
// target: ArrayNegativeSize.make
// scope: 3
// domain: int -2..4 MIN MAX
public class ArrayNegativeSize {
    static int make(int length, int index) {
        if (length > 3) {
            return -1;
        }
        int[] made = new int[length];
        made[index] = 5;
        return made.length;
    }
}
