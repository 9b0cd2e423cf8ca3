// Checks a switch over an enum that a field holds.
// target: EnumSwitch.isWarm
// scope: 1
public class EnumSwitch {
    enum Colour {
        RED, GREEN, BLUE
    }

    Colour colour;

    boolean isWarm() {
        switch (colour) {
            case RED:
                return true;
            case BLUE:
                return false;
            default:
                throw new IllegalArgumentException();
        }
    }
}
