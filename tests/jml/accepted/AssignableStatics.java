// Checks static fields, and what they lead to.
//! check --scope 2: listed, unlisted, cached, qualified
public class AssignableStatics {
    private static int total;
    private static int[] cache = new int[2];

    //@ assignable total;
    public static void listed() {
        total = 5;
    }

    //@ assignable \nothing; // broken by unlisted
    public static void unlisted() {
        total = 5;
    }

    //@ assignable total; // broken by cached
    public static void cached() {
        cache[1] = 5;
    }

    //@ assignable AssignableStatics.total, AssignableStatics.cache;
    public static void qualified() {
        total = 5;
        cache = new int[1];
    }
}
