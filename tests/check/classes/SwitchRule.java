// Checks a switch expression over an enum that has no default.
// target: SwitchRule.turn
// scope: 1
public class SwitchRule {
    enum Side {
        LEFT, RIGHT
    }

    static Side turn(Side side) {
        return switch (side) {
            case LEFT -> Side.RIGHT;
            case RIGHT -> Side.LEFT;
        };
    }
}
