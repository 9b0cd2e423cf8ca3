package kiasan;

/** Insertion sort of an array of objects that know their order. */
public class ComparableSort {
    public static void sort(Comparable[] a) {
        for (int i = 1; i < a.length; i++) {
            Comparable element = a[i];
            int j = i;
            while (j > 0 && element.compareTo(a[j - 1]) < 0) {
                a[j] = a[j - 1];
                j--;
            }
            a[j] = element;
        }
    }

    /** The precondition: no element is null. It looks at all elements, and so tells the lengths apart. */
    static boolean given(Comparable[] a) {
        if (a == null) {
            return false;
        }
        for (int i = 0; i < a.length; i++) {
            if (a[i] == null) {
                return false;
            }
        }
        return true;
    }

    /** Without it, a null element is an argument, too. */
    static boolean isThere(Comparable[] a) {
        return a != null;
    }

    static boolean sorted(Comparable[] a) {
        for (int i = 1; i < a.length; i++) {
            if (a[i - 1].compareTo(a[i]) > 0) {
                return false;
            }
        }
        return true;
    }
}
