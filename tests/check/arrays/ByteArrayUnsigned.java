// Checks bytes that are read without their sign, and put together.
// target: ByteArrayUnsigned.read
// scope: 1
// k: 3
// domain: byte MIN -1 0 1 MAX; int -1..2
public class ByteArrayUnsigned {
    static int read(byte[] bytes, int at) {
        int value = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
        if (value > 0x7fff) {
            bytes[at] = (byte) (value >> 4);
            return -value;
        }
        return value == 0 ? bytes.length : value;
    }
}
