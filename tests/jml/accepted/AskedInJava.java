// Checks that clauses with all that Java and JML have are asked in Java as they are meant: each is broken, and the JVM must agree.
//! check --scope 2: arithmetic, longsAndFloats, enums, hiddenCalls, grids, types, boxes, library, folds, texts, notNumbers, reachable, exceptions, statics, parameters, sets, conversions, hiddenArrays
public class AskedInJava {
    private enum Mode { ON, OFF }
    private static long ticks;
    private static double scale;
    private /*@ nullable @*/ Mode mode;
    private byte small;
    private char letter;
    private float part;
    private /*@ nullable @*/ Inner inner;
    private /*@ nullable @*/ Inner[][] grid;
    protected /*@ nullable @*/ Object any;
    private /*@ nullable @*/ Integer boxed;

    private class Inner {
        private int value;
        private /*@ nullable @*/ Inner next;
        private /*@ pure @*/ int twice() {
            return 2 * value;
        }
    }

    //@ ensures (letter + 1 > 'a' ? small << 2 : ~small) == \old((int) letter) >>> 1; // broken by arithmetic
    public void arithmetic() {
        letter = 'b';
        small = 3;
    }

    //@ ensures ticks == \old(ticks) * 2L - 1 && scale / 2.0 < 1e10 && part >= -0.5f; // broken by longsAndFloats
    public void longsAndFloats() {
        ticks++;
        part = -1f;
    }

    //@ ensures mode == Mode.ON || mode == null && (\exists boolean b; b && \old(mode) == null); // broken by enums
    public void enums() {
        mode = Mode.OFF;
    }

    //@ requires inner != null;
    //@ ensures inner.twice() == \old(inner.twice()) + 2 && inner.next == \old(inner); // broken by hiddenCalls
    public void hiddenCalls() {
        inner.value += 2;
    }

    //@ requires grid != null && grid.length == 1 && grid[0] != null && grid[0].length == 1;
    //@ ensures (\forall int i; 0 <= i && i < grid.length; (\forall int j; 0 <= j && j < grid[i].length; grid[i][j] == null || grid[i][j].value > i + j)); // broken by grids
    public void grids() {
        if (grid[0][0] != null) {
            grid[0][0].value = 0;
        }
    }

    //@ ensures any instanceof AskedInJava && ((AskedInJava) any).small == 1 && \typeof(any) == \type(AskedInJava); // broken by types
    public void types() {
        any = this;
        small = 2;
    }

    //@ requires boxed != null;
    //@ ensures boxed > \old(boxed) && boxed.equals(boxed) && boxed.intValue() + 0L > 0; // broken by boxes
    public void boxes() {
    }

    //@ ensures \result == Math.max(x, 0) % 7 && Long.compare(ticks, 5) < 2; // broken by library
    public int library(int x) {
        return x;
    }

    //@ ensures (\sum int i; 0 <= i && i <= 3; i * small) == (\num_of long k; 0 <= k && k < 5; k % 2 == 0); // broken by folds
    public void folds() {
        small = 1;
    }

    //@ ensures \result.equals(s) && \result.length() == s.length() && s.charAt(0) == 'x'; // broken by texts
    //@ requires s.length() == 1;
    public String texts(String s) {
        return s;
    }

    //@ ensures (\max int i; 0 <= i && i < a.length; a[i]) == \old((\max int i; 0 <= i && i < a.length; a[i])) && \not_modified(a.length); // broken by notNumbers
    //@ requires a.length == 2;
    public static void notNumbers(double[] a) {
        a[0] = Double.NaN;
        a[1] = 1;
    }

    //@ ensures (\forall Inner n; n.value != 0); // broken by reachable
    //@ requires inner != null;
    public void reachable() {
        inner.value = 0;
    }

    //@ signals (RuntimeException e) e instanceof IllegalStateException && e.getMessage() == null && small > 5; // broken by exceptions
    public void exceptions() {
        throw new IllegalStateException();
    }

    //@ assignable this.*, AskedInJava.ticks; // broken by statics
    public void statics() {
        ticks = 4;
        scale = 4;
    }

    //@ requires p != null;
    //@ ensures p.small == \old(small) && this != p; // broken by parameters
    public void parameters(/*@ nullable @*/ AskedInJava p) {
        p.small = small;
    }

    //@ ensures \reach(inner, Inner, next).isEmpty() <=!=> \reach(inner, Inner).has(inner);
    //@ ensures \reach(inner, Inner, next).int_size() < 1 ==> small == 0; // broken by sets
    public void sets() {
        small = 4;
    }

    //@ ensures part == part && (byte) x == small && (char) x != letter && (short) (x + 1L) > 0 && !(x > 5); // broken by conversions
    public void conversions(int x) {
        small = (byte) x;
    }

    //@ ensures x == null || x.length == 0 || x[0] == null; // broken by hiddenArrays
    public static void hiddenArrays(/*@ nullable @*/ Inner[] x) {
    }
}
