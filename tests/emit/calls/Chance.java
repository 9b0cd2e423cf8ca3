//! check calls.Chance.pick ArrayIndexOutOfBoundsException
package calls;

import lazuli.Lazuli;

/** Values that the exploration chooses. */
public class Chance {
    static int pick() {
        int[] numbers = {1, 2, 3};
        int index = Lazuli.anyInt();
        boolean isLast = Lazuli.anyBoolean();
        Lazuli.assume(index >= 0 && index < 4); // mended: Lazuli.assume(index >= 0 && index < 4); index = index % 3;
        return isLast ? numbers[2] : numbers[index];
    }
}
