//! check calls.Bell.state ArrayIndexOutOfBoundsException
package calls;

/** What it hands out is a lambda, whose class has no name in source. */
public class Bell {
    private int rings;

    public Runnable button() {
        return () -> rings = 7; // mended: return () -> rings = 1;
    }

    public String state() {
        String[] names = {"silent", "rung"};
        return names[rings];
    }
}
