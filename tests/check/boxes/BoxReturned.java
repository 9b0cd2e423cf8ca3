// Checks a box that is computed from another.
// target: BoxReturned.increment
// scope: 1
// domain: int -130..127 MAX
public class BoxReturned {
    static Integer increment(Integer value) {
        return value + 1;
    }
}
