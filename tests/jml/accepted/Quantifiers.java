// Checks quantifiers over numbers: bounds on either side, strict or not, and nested.
//! check --scope 3: fill, from, sorted, unsorted, exists, pairs
public class Quantifiers {
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] == x);
    public static void fill(int[] a, int x) {
        for (int i = 0; i < a.length; i++) {
            a[i] = x;
        }
    }

    //@ ensures (\forall int i; i < a.length && i > 0; a[i] == x);
    //@ ensures (\forall int i; a.length - 1 >= i && 1 <= i; a[i] == x);
    //@ ensures (\forall int i; 0 <= i && i <= a.length - 1; i > 0 ==> a[i] == x);
    //@ ensures (\forall int i; 0 <= i && i < a.length ==> (i > 0 ==> a[i] == x));
    public static void from(int[] a, int x) {
        for (int i = 1; i < a.length; i++) {
            a[i] = x;
        }
    }

    //@ requires a.length == 2;
    //@ ensures (\forall int i, j; 0 <= i && i < j && j < a.length; a[i] <= a[j]);
    public static void sorted(int[] a) {
        if (a[0] > a[1]) {
            int kept = a[0];
            a[0] = a[1];
            a[1] = kept;
        }
    }

    //@ ensures (\forall int i; 0 <= i && i < a.length; (\forall int j; i < j && j < a.length; a[i] <= a[j])); // broken by unsorted
    public static void unsorted(int[] a) {
        if (a.length > 1 && a[0] > a[1]) {
            a[0] = a[1];
        }
    }

    //@ ensures \result <==> (\exists int i; 0 <= i && i < a.length; a[i] == x);
    public static boolean exists(int[] a, int x) {
        for (int each : a) {
            if (each == x) {
                return true;
            }
        }
        return false;
    }

    //@ ensures \result == (\exists int i, j; 0 <= i && i < a.length && i < j && j < a.length && a[i] == a[j]); // broken by pairs
    public static boolean pairs(int[] a) {
        return a.length > 1 && a[0] == a[1];
    }
}
