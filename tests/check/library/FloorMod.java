// Checks a remainder that has the sign of its divisor.
// target: FloorMod.wrap
// domain: int -3..3 MIN
public class FloorMod {
    static int wrap(int index, int size) {
        int wrapped = Math.floorMod(index, size);
        assert size < 0 || wrapped >= 0 && wrapped < size;
        return wrapped == index ? 1 : 0;
    }
}
