// Objects that calls were handed or made, that the class keeps, and that the code around changes afterwards.
package m;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

public class Kept {
    private final int[] limits;
    private final int[] copied;
    private final List<String> names = new ArrayList<>();
    private Iterator<String> cursor;

    public Kept(int[] limits) {
        if (limits == null || limits.length != 2 || limits[0] <= 0 || limits[1] <= 0) {
            throw new IllegalArgumentException();
        }
        this.limits = limits;
        int[] copy = {limits[0], limits[1]};
        this.copied = copy;
    }

    // The caller puts zero into its array.
    public int share(int total) { //: defect ArithmeticException, note ArrayIndexOutOfBoundsException
        return total / limits[0];
    }

    public int shareOfCopy(int total) { //: note ArithmeticException, note ArrayIndexOutOfBoundsException
        return total / copied[0];
    }

    public void add(String name) { //:
        names.add(name);
    }

    public void begin() { //:
        cursor = names.iterator();
    }

    // After begin() and add().
    public String next() { //: defect ConcurrentModificationException
        return cursor != null && cursor.hasNext() ? cursor.next() : null;
    }
}
