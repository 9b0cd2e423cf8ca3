// Checks an array that two objects may share.
// target: ArrayShared$Buffer.copyTo
// scope: 2
// domain: int 0..1
public class ArrayShared {
    static class Buffer {
        int[] data;

        boolean copyTo(Buffer other) {
            if (data.length != 1 || other.data.length != 1) {
                return false;
            }
            int before = data[0];
            other.data[0] = before + 1;
            return data[0] == before;
        }
    }
}
