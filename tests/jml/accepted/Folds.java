// Checks \sum, \num_of, \min and \max, also over nothing.
//! check --scope 2: sum, count, least, greatest, empty, wrong
public class Folds {
    //@ ensures \result == (\sum int i; 0 <= i && i < a.length; a[i]);
    public static int sum(int[] a) {
        int sum = 0;
        for (int each : a) {
            sum += each;
        }
        return sum;
    }

    //@ ensures \result == (\num_of int i; 0 <= i && i < a.length; a[i] > 0);
    public static int count(int[] a) {
        int count = 0;
        for (int each : a) {
            count += each > 0 ? 1 : 0;
        }
        return count;
    }

    //@ requires a.length > 0;
    //@ ensures \result == (\min int i; 0 <= i && i < a.length; a[i]);
    public static int least(int[] a) {
        int least = a[0];
        for (int each : a) {
            least = Math.min(least, each);
        }
        return least;
    }

    //@ requires a.length > 0;
    //@ ensures \result == (\max int i; 0 <= i && i < a.length; a[i]);
    public static int greatest(int[] a) {
        int greatest = a[0];
        for (int each : a) {
            greatest = Math.max(greatest, each);
        }
        return greatest;
    }

    //@ ensures (\sum int i; 0 <= i && i < 0; 7) == 0 && (\num_of int i; 1 <= i && i <= 0; true) == 0;
    //@ ensures (\max int i; 0 <= i && i < 0; i) == Integer.MIN_VALUE && (\min int i; 0 <= i && i < 0; i) == Integer.MAX_VALUE;
    //@ ensures (\sum long i; 0 <= i && i < 3; i * 4000000000L) == 12000000000L;
    public static void empty() {
    }

    //@ ensures \result == (\num_of int i; 0 <= i && i < a.length; a[i] >= 0); // broken by wrong
    public static int wrong(int[] a) {
        return a.length;
    }
}
