// Checks \nonnullelements.
//! check --scope 2: fill, leave
public class NonNullElements {
    //@ requires 0 <= n && n < 4;
    //@ ensures \nonnullelements(\result);
    public static Object[] fill(int n) {
        Object[] made = new Object[n];
        for (int i = 0; i < n; i++) {
            made[i] = made;
        }
        return made;
    }

    //@ ensures \nonnullelements(a); // broken by leave
    public static void leave(Object[] a) {
    }
}
