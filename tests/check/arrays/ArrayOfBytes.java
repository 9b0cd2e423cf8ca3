// Checks the narrow element types: a byte keeps its sign, a char has none.
// target: ArrayOfBytes.sum
// scope: 1
// domain: byte -128 -1 0 127; char \u0000 \uffff a
public class ArrayOfBytes {
    static int sum(byte[] bytes, char[] letters) {
        int sum = bytes[0] + letters[0];
        bytes[0] = (byte) sum;
        return sum > 100 ? bytes[0] : sum;
    }
}
