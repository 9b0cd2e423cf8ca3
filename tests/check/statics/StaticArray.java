// Checks an array that a static field holds.
// target: StaticArray.put
// scope: 2
// statics: slots used
// domain: int 0..2; used -1..3
public class StaticArray {
    static int[] slots;
    static int used;

    static boolean put(int value) {
        if (used < slots.length) {
            slots[used++] = value;
            return true;
        }
        return false;
    }
}
