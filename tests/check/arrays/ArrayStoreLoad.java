// Checks that a load sees the store at the same index, and what was there before at others.
// target: ArrayStoreLoad.storeThenLoad
// scope: 2
// domain: int -1..2; array[] 4 7
public class ArrayStoreLoad {
    static boolean storeThenLoad(int[] array, int at, int from) {
        array[at] = 7;
        return array[from] == 7;
    }
}
