// Checks that an input of an enum is null or one of its constants.
// target: EnumInput.next
// domain: int 0
public class EnumInput {
    enum Colour {
        RED, GREEN, BLUE
    }

    static int next(Colour colour) {
        if (colour == Colour.GREEN) {
            return 2;
        }
        return colour.ordinal();
    }
}
