import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;

/** Uses of iterators: a line that ends with a comment names the property that the method breaks. */
public class Iterators {
    /** Its bridge method calls the method that the source has: that is one call. */
    static class Countdown implements Iterator<Integer> {
        int left = 3;

        public boolean hasNext() {
            return left > 0;
        }

        public Integer next() {
            return left--;
        }
    }

    /** Calls of the overridden method are no calls of their own. */
    static class Loud extends Countdown {
        int calls;

        @Override
        public boolean hasNext() {
            calls++;
            return super.hasNext();
        }

        @Override
        public Integer next() {
            calls++;
            return super.next();
        }
    }

    /** No iterator, although a method has the name. */
    static class Pages {
        int page;

        int next() {
            return ++page;
        }
    }

    private static List<Integer> three() {
        List<Integer> list = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            list.add(i);
        }
        return list;
    }

    public static int ownInOrder() {
        int sum = 0;
        for (Iterator<Integer> all = new Countdown(); all.hasNext();) {
            sum += all.next();
        }
        return sum;
    }

    public static int ownWithoutInterface() {
        Countdown all = new Countdown();
        return all.hasNext() ? all.next() : 0;
    }

    public static int ownTwice() { //: iterator
        Iterator<Integer> all = new Countdown();
        return all.hasNext() ? all.next() + all.next() : 0;
    }

    public static int ownTwiceWithoutInterface() { //: iterator
        Countdown all = new Countdown();
        return all.hasNext() ? all.next() + all.next() : 0;
    }

    public static int overridingInOrder() {
        int sum = 0;
        for (Loud all = new Loud(); all.hasNext();) {
            sum += all.next();
        }
        return sum;
    }

    public static int overridingTwice() { //: iterator
        Loud all = new Loud();
        return all.hasNext() ? all.next() + all.next() : 0;
    }

    public static int ofLibraryInOrder() {
        int sum = 0;
        for (int number : three()) {
            sum += number;
        }
        return sum;
    }

    public static int ofLibraryAtOnce() { //: iterator
        return three().iterator().next();
    }

    /** The library's own calls do not count. */
    public static String inLibrary() {
        return String.join(",", List.of("a", "b")) + three().containsAll(three());
    }

    public static int eachHasItsOwn() { //: iterator
        Iterator<Integer> asked = three().iterator();
        Iterator<Integer> other = three().iterator();
        return asked.hasNext() ? other.next() : 0;
    }

    public static int bothAreAsked() {
        Iterator<Integer> one = three().iterator();
        Iterator<Integer> other = three().iterator();
        return one.hasNext() && other.hasNext() ? one.next() + other.next() : 0;
    }

    public static int onlyWhereFlagIsSet(boolean flag) { //: iterator
        Iterator<Integer> all = new Countdown();
        if (flag) {
            all.hasNext();
        }
        return all.next();
    }

    public static int whateverFlagIs(boolean flag) {
        Iterator<Integer> all = new Countdown();
        if (flag || !flag) {
            all.hasNext();
        }
        return all.next();
    }

    public static int noIterator() {
        Pages pages = new Pages();
        return pages.next() + pages.next();
    }

    public static int throughLambda() { //: iterator
        Iterator<Integer> all = new Countdown();
        Supplier<Integer> next = all::next;
        return next.get();
    }

    public static int ofArgument(Iterator<Integer> all) { //: iterator
        return all == null ? 0 : all.next();
    }

    public static int ofArgumentInOrder(Iterator<Integer> all) {
        return all != null && all.hasNext() && all.next() != null ? 1 : 0;
    }
}
