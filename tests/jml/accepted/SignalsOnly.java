// Checks that signals_only lists all exceptions that may come, and those that are declared too.
//! check --scope 2: listed, unlisted, nothing
public class SignalsOnly {
    //@ signals_only ArithmeticException;
    public static int listed(int x) {
        return 1 / x;
    }

    //@ signals_only java.io.IOException; // broken by unlisted
    public static int unlisted(int x) throws java.io.IOException, InterruptedException {
        if (x == 0) {
            throw new InterruptedException();
        }
        throw new java.io.IOException();
    }

    //@ signals_only \nothing; // broken by nothing
    public static int nothing(int x) throws java.io.IOException {
        if (x == 0) {
            throw new java.io.IOException();
        }
        return x;
    }
}
