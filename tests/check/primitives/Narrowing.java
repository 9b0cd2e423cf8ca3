// Checks the conversions of an int to the narrow types.
// target: Narrowing.narrow
// domain: int -129 -128 -1..1 127 128 255 256 32767 32768 65535 65536 65664 MIN MAX
public class Narrowing {
    static int narrow(int value) {
        if ((byte) value == value) {
            return 1;
        }
        if ((short) value == value) {
            return 2;
        }
        if ((char) value == value) {
            return 3;
        }
        return (byte) value < 0 ? 4 : (short) value;
    }
}
