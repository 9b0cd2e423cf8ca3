// Arrays of every kind of number.
// scope: 1
// domain: int 0 1; byte 0 -1; char a b; long 0 1; double 0.0 1.0; short 0 3
// wide: String
public class Kinds {
    byte[] bytes;
    char[] chars;
    boolean[] flags;

    boolean repOK() {
        return bytes != null && bytes.length == 1 && (flags == null || flags.length == 0 || flags[0]);
    }

    public void negative() {
        assert bytes[0] >= 0;
    }

    public void letter() {
        assert chars == null || chars.length == 0 || chars[0] != 'b';
    }

    public void flag() {
        assert flags == null || flags.length == 0 || flags[0];
    }

    public void flip() {
        if (flags != null && flags.length == 1) {
            flags[0] = !flags[0];
        }
    }

    public static void longs(long[] given) {
        assert given == null || given.length == 0 || given[0] != 1;
    }

    public static void doubles(double[] given) {
        assert given == null || given.length == 0 || given[0] != 1.0;
    }

    public static void shorts(short[] given) {
        assert given == null || given.length == 0 || given[0] != 3;
    }
}
