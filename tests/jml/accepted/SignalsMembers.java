// Checks that a signals clause reads members of the exception that it names.
//! check --scope 1: right, wrong
public class SignalsMembers {
    static class Refused extends RuntimeException {
        final int code;

        Refused(int code) {
            this.code = code;
        }
    }

    //@ signals (Refused r) r.code == x && x < 0;
    public static void right(int x) {
        if (x < 0) {
            throw new Refused(x);
        }
    }

    //@ signals (Refused r) r.code == x; // broken by wrong
    public static void wrong(int x) {
        if (x < 0) {
            throw new Refused(-x);
        }
    }
}
