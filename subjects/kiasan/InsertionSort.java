package kiasan;

/** Insertion sort of an array of ints. */
public class InsertionSort {
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

    /** The precondition looks at no element, so it does not tell the lengths apart. */
    static boolean given(int[] a) {
        return a != null;
    }

    static boolean sorted(int[] a) {
        for (int i = 1; i < a.length; i++) {
            if (a[i - 1] > a[i]) {
                return false;
            }
        }
        return true;
    }
}
