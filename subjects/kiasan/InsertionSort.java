package kiasan;

/** Insertion sort of an array of ints, and of an array of objects that know their order. */
public class InsertionSort {
    /** Something with an order of its own. */
    static class Item implements Comparable<Item> {
        int rank;

        @Override
        public int compareTo(Item other) {
            return rank < other.rank ? -1 : rank > other.rank ? 1 : 0;
        }
    }

    public static void sort(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int element = a[i];
            int j = i;
            while (j > 0 && element < a[j - 1]) {
                a[j] = a[j - 1];
                j--;
            }
            a[j] = element;
        }
    }

    public static void sort(Item[] a) {
        for (int i = 1; i < a.length; i++) {
            Item element = a[i];
            int j = i;
            while (j > 0 && element.compareTo(a[j - 1]) < 0) {
                a[j] = a[j - 1];
                j--;
            }
            a[j] = element;
        }
    }

    /** The precondition for ints looks at no element, so it does not tell the lengths apart. */
    static boolean given(int[] a) {
        return a != null;
    }

    static boolean given(Item[] a) {
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

    static boolean sorted(int[] a) {
        for (int i = 1; i < a.length; i++) {
            if (a[i - 1] > a[i]) {
                return false;
            }
        }
        return true;
    }

    static boolean sorted(Item[] a) {
        for (int i = 1; i < a.length; i++) {
            if (a[i - 1].compareTo(a[i]) > 0) {
                return false;
            }
        }
        return true;
    }
}
