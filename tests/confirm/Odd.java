/** Faults of code that does odd things on the way, in the default package. */
public class Odd {
    static int state;

    /** Leaves something behind that must not be there for the next one. */
    public int counts(int x) {
        state++;
        return 1 / (state - 1);
    }

    /** Fails only if nothing was left behind. */
    public int finds(int x) {
        assert state != 0;
        return x;
    }

    public int sets(int x) {
        System.setProperty("odd", "yes");
        return 1 / x;
    }

    public int prints(int x) {
        for (int line = 0; line < 3000; line++) {
            System.out.println("a line of text that is rather long, and that comes again and again");
            System.err.println("another one, of which there are many, too");
        }
        return 1 / x;
    }

    public int overflows(int x) {
        return x == 4 ? overflows(x) + 1 : x;
    }
}
