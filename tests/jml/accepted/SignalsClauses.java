// Checks that signals allows an exception, and says when it may come.
//! check --scope 2: get, early, silent, plain
public class SignalsClauses {
    //@ signals (IllegalArgumentException e) x < 0;
    public static int get(int x) {
        if (x < 0) {
            throw new IllegalArgumentException("negative");
        }
        return x;
    }

    //@ signals (IllegalArgumentException e) x < 0; // broken by early
    public static int early(int x) {
        if (x < 1) {
            throw new IllegalArgumentException("negative");
        }
        return x;
    }

    //@ signals (RuntimeException e) e instanceof IllegalStateException; // broken by silent
    public static int silent(int x) {
        if (x < 0) {
            throw new IllegalArgumentException();
        }
        return x;
    }

    //@ signals (Exception);
    public static int plain(int x) {
        return 1 / x;
    }
}
