// Checks a symbolic index: null, out of bounds on both sides, and within.
// target: ArrayGet.get
// scope: 3
// domain: index -1..3; array[] 4 5
public class ArrayGet {
    static int get(int[] array, int index) {
        return array[index];
    }
}
