// Checks that assertions are enabled, and that one with a message fails.
// target: AssertFails.half
// domain: int -1..5
public class AssertFails {
    static int half(int value) {
        assert value >= 0;
        assert value % 2 == 0 : "odd: " + value;
        return value / 2;
    }
}
