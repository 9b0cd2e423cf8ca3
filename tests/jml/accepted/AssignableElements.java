// Checks elements of arrays: all, one, a range, and which array was meant.
//! check --scope 3: all, one, wrong, range, outside
public class AssignableElements {
    //@ assignable a[*];
    public static void all(int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = i;
        }
    }

    //@ requires 0 <= i && i < a.length;
    //@ assignable a[i];
    public static void one(int[] a, int i) {
        a[i] = 7;
    }

    //@ requires 0 <= i && i < a.length;
    //@ assignable a[i]; // broken by wrong
    public static void wrong(int[] a, int i) {
        a[a.length - 1 - i] = 7;
    }

    //@ requires a.length == 3;
    //@ assignable a[1..2];
    public static void range(int[] a) {
        a[1] = a[0];
        a[2] = a[0];
    }

    //@ requires a.length == 3;
    //@ assignable a[0..1]; // broken by outside
    public static void outside(int[] a) {
        a[2] = a[0];
    }
}
