// Checks a loop over an array of booleans.
// target: ArrayCountTrue.count
// scope: 3
public class ArrayCountTrue {
    static int count(boolean[] flags) {
        int count = 0;
        for (boolean flag : flags) {
            if (flag) {
                count++;
            }
        }
        return count;
    }
}
