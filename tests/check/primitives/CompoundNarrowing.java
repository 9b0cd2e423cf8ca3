// Checks compound assignments, which narrow, to fields, elements and variables.
// target: CompoundNarrowing.run
// scope: 1
// k: 1
// domain: byte MIN -1 0 1 MAX; char \u0000 a \uffff; short MIN 0 MAX; int -1 0 1 200 MIN MAX; long MIN 0 MAX
public class CompoundNarrowing {
    byte b;
    char c;
    short s;

    int run(int by, long wide) {
        b += by;
        c -= by;
        s *= by;
        int x = by;
        x += wide;
        x >>>= b;
        c++;
        if (b > c - 3) {
            return x;
        }
        return (byte) (s >> 1) + (b & 0xff);
    }
}
