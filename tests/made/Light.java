// calls: 5
// classes: Light Light$Color
// closed: checkKnown checkColor
// An enumeration in a private field: its constants are the only objects of it.
class Light {
    enum Color { RED, GREEN, AMBER }

    private Color color = Color.RED;
    private int greens;

    void next() {
        switch (color) {
            case RED:
                color = Color.GREEN;
                greens = 1;
                break;
            case GREEN:
                color = Color.AMBER;
                break;
            default:
                color = Color.RED;
                greens = 0;
        }
    }

    int checkKnown() {
        return color.ordinal();
    }

    int checkColor() {
        if (color != Color.RED && color != Color.GREEN && color != Color.AMBER) {
            throw new AssertionError();
        }
        return 0;
    }

    // Green comes after one call.
    int checkGreen() {
        return color == Color.GREEN ? 6 / 0 : 0;
    }

    int checkCounted() {
        assert (color == Color.RED) == (greens == 0);
        return 0;
    }

    int checkAgainst(Color other) {
        return other == color ? 6 / (1 - greens) : 0;
    }
}
