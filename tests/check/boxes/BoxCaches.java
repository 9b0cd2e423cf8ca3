// Checks the caches of Long, Character, Short and Byte.
// target: BoxCaches.run
// scope: 1
// domain: long -130 -129 -128 127 128 129; char \u007f \u0080; short -129 127 128; byte -1; int 127 128
public class BoxCaches {
    static int run(long a, char b, short c, byte d) {
        Long x = a;
        Long y = a;
        Character p = b;
        Character q = b;
        Short s = c;
        Short t = c;
        Byte u = d;
        Byte v = d;
        return (x == y ? 1 : 0) + (p == q ? 2 : 0) + (s == t ? 4 : 0) + (u == v ? 8 : 0) + (x.equals((long) c) ? 16 : 0);
    }
}
