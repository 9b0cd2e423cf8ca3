package pli;

/** A set of ints: the keys of a red-black tree whose values are all the same object. */
public class TreeSet {
    static final Object PRESENT = new Object();

    TreeMap m;

    public TreeSet() {
        m = new TreeMap();
    }

    /** Adds the element, and says whether it was missing. */
    public boolean add(int element) {
        int before = m.size;
        m.put(element, PRESENT);
        return m.size != before;
    }

    public boolean contains(int element) {
        return m.containsKey(element);
    }

    /** Removes the element, and says whether it was there. */
    public boolean remove(int element) {
        return m.remove(element);
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /** The map is a red-black tree without null values. */
    boolean repOKHeap() {
        return m != null && m.repOKHeap() && valuesPresent(m.root);
    }

    private static boolean valuesPresent(TreeMap.Entry entry) {
        return entry == null || (entry.value != null && valuesPresent(entry.left) && valuesPresent(entry.right));
    }

    boolean repOKData() {
        return m.repOKData();
    }
}
