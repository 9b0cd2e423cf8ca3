// Checks an ArrayList of inputs that an iterator removes from, and modification while iterating.
// target: ListIteration.run
// scope: 2
// domain: int 0..3
public class ListIteration {
    static class Item {
        int n;
    }

    static int run(Item a, Item b, boolean wrong) {
        java.util.List<Item> list = new java.util.ArrayList<>(java.util.Arrays.asList(a, b, a));
        for (java.util.Iterator<Item> i = list.iterator(); i.hasNext();) {
            Item item = i.next();
            if (item == null || item.n == 0) {
                if (wrong) {
                    list.remove(item);
                } else {
                    i.remove();
                }
            } else {
                item.n--;
            }
        }
        return list.size();
    }
}
