// Checks that what stands before a bound protects it, also between nested variables.
//! check --scope 2: guarded, between, rows, unguarded
public class GuardedRanges {
    //@ ensures (\forall int i; a != null && 0 <= i && i < a.length; a[i] == a[i]);
    public static void guarded(/*@ nullable @*/ int[] a) {
    }

    //@ ensures (\forall int i; 0 <= i && a != null && i < a.length; a[i] == a[i]);
    public static void between(/*@ nullable @*/ int[] a) {
    }

    //@ ensures (\forall int i, j; 0 <= i && i < a.length && a[i] != null && 0 <= j && j < a[i].length; a[i][j] == a[i][j]);
    public static void rows(int[][] a) {
    }

    //@ ensures (\forall int i; 0 <= i && i < a.length; a[i] == a[i]); // broken by unguarded
    public static void unguarded(/*@ nullable @*/ int[] a) {
    }
}
