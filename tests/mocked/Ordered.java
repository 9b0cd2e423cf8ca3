// A comparator is a total order: transitive, with any int of the right sign.
import java.util.Comparator;

public class Ordered {
    static class Item {
        int weight;
    }

    public static void transitive(Comparator<Item> order, Item one, Item two, Item three) {
        if (order.compare(one, two) < 0 && order.compare(two, three) < 0) {
            assert order.compare(one, three) < 0;
        }
    }

    public static void antisymmetric(Comparator<Item> order, Item one, Item two) {
        assert Integer.signum(order.compare(one, two)) == -Integer.signum(order.compare(two, one));
    }

    public static void onlyOnes(Comparator<Item> order, Item one, Item two) {
        int found = order.compare(one, two);
        assert found >= -1 && found <= 1; //: AssertionError
    }

    public static void strict(Comparator<Item> order, Item one, Item two) {
        if (one != two) {
            assert order.compare(one, two) != 0; //: AssertionError
        }
    }

    public static void sorted(Comparator<Item> order, Item one, Item two, Item three) {
        Item[] items = {one, two, three};
        for (int end = 2; end > 0; end--) {
            for (int at = 0; at < end; at++) {
                if (order.compare(items[at], items[at + 1]) > 0) {
                    Item kept = items[at];
                    items[at] = items[at + 1];
                    items[at + 1] = kept;
                }
            }
        }
        assert order.compare(items[0], items[1]) <= 0;
    }

    public static void lessIsAnother(Comparator<Item> order, Item one, Item two, Item three) {
        if (order.compare(one, two) < 0 && order.compare(two, three) < 0) {
            assert one != two && two != three && one != three;
        }
    }

    public static void equalIsAnother(Comparator<Item> order, Item one, Item two) {
        if (order.compare(one, two) == 0) {
            assert one != two; //: AssertionError
        }
    }

    public static Item least(Comparator<Item> order, Item one, Item two) {
        Item least = order.compare(one, two) > 0 ? one : two;
        assert order.compare(least, one) <= 0; //: AssertionError
        return least;
    }

    /** What an object holds decides its place. */
    public static void written(Comparator<Item> order, Item one, Item two) {
        if (order.compare(one, two) < 0) {
            one.weight++;
            assert order.compare(one, two) < 0; //: AssertionError
        }
    }

    /** The third one may be one of the others. */
    public static void writtenAsAnother(Comparator<Item> order, Item one, Item two, Item three) {
        if (order.compare(one, two) < 0) {
            three.weight++;
            assert order.compare(one, two) < 0; //: AssertionError
        }
    }

    public static void anotherWritten(Comparator<Item> order, Item one, Item two, Item three) {
        if (three != one && three != two && order.compare(one, two) < 0) {
            three.weight++;
            assert order.compare(one, two) < 0;
        }
    }

    /** Two that were not written are in the same order as before, whatever else was compared. */
    public static void othersStay(Comparator<Item> order, Item one, Item two, Item three) {
        if (one != two && one != three && order.compare(one, two) < 0 && order.compare(two, three) < 0) {
            one.weight++;
            int found = order.compare(one, three);
            assert order.compare(two, three) < 0;
            assert found >= 0 || order.compare(three, one) > 0;
        }
    }

    public static void madeAndWritten(Comparator<Item> order, Item one) {
        Item made = new Item();
        if (order.compare(one, made) < 0) {
            made.weight = 7;
            assert order.compare(one, made) < 0; //: AssertionError
        }
    }

    public static void madeAndKept(Comparator<Item> order, Item one) {
        Item made = new Item();
        Item other = new Item();
        if (order.compare(one, made) < 0 && order.compare(made, other) <= 0) {
            assert order.compare(one, other) < 0;
        }
    }
}
