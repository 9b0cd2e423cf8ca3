// Checks that \old means the state before the method, also for arrays that change, and \pre the same.
//! check --scope 2: increment, twice, swap, shift
public class OldValues {
    private int count;

    //@ requires count < 100;
    //@ ensures count == \old(count) + 1;
    public void increment() {
        count++;
    }

    //@ requires count < 100;
    //@ ensures count == \pre(count) + 1; // broken by twice
    public void twice() {
        count += 2;
    }

    //@ requires a.length == 2;
    //@ ensures a[0] == \old(a[1]) && a[1] == \old(a[0]);
    public static void swap(int[] a) {
        int kept = a[0];
        a[0] = a[1];
        a[1] = kept;
    }

    //@ requires a.length == 2;
    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] == \old(a[i])); // broken by shift
    public static void shift(int[] a) {
        a[0] = a[1];
    }
}
