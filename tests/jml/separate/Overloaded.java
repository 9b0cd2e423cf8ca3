// Checks that of several methods of a name each has its own clauses, and that a .jml file hides the JML of the source.
//! check --scope 2: add(int), add(long), add(int[])
public class Overloaded {
    //@ ensures false;
    public static int add(int x) {
        return x;
    }

    //@ ensures false;
    public static int add(long x) {
        return 2;
    }

    //@ ensures false;
    public static int add(int[] x) {
        return 3;
    }
}
