// Checks that inputs of the types byte and short stay in their ranges, and that a compound assignment narrows.
// target: NarrowInputs.add
// domain: byte MIN -1..1 MAX; short MIN -1..1 MAX
public class NarrowInputs {
    static int add(byte small, short middle) {
        if (small > 127 || middle < -32768) {
            throw new IllegalStateException("out of range");
        }
        byte sum = small;
        sum += middle;
        if (sum == small) {
            return 1;
        }
        return sum < 0 ? sum : small + middle;
    }
}
