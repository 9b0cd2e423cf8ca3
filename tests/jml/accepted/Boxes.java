// Checks that boxes are numbers where numbers are wanted, and objects elsewhere.
//! check --scope 2: add, same
public class Boxes {
    //@ requires a < 100 && b < 100 && a > 0 && b > 0;
    //@ ensures \result == a + b;
    public static int add(Integer a, int b) {
        return a + b;
    }

    //@ ensures \result <==> a == null;
    public static boolean same(/*@ nullable @*/ Integer a) {
        return a == null;
    }
}
