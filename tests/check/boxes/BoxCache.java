// Checks that small numbers are boxed to shared objects, and others to new ones.
// target: BoxCache.isShared
// domain: int -129..128
public class BoxCache {
    static boolean isShared(int value) {
        Integer one = value;
        Integer other = value;
        return one == other;
    }
}
