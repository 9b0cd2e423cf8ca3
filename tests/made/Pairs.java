// calls: 3
// classes: Pairs Coin
// A factory that checks, a private constructor, and arguments that are objects with private fields.
class Pairs {
    private final Coin left;
    private final Coin right;

    private Pairs(Coin left, Coin right) {
        this.left = left;
        this.right = right;
    }

    static Pairs of(Coin left, Coin right) {
        if (left == null || right == null) {
            return new Pairs(Coin.make(1), Coin.make(2));
        }
        return new Pairs(left, right);
    }

    // Never null.
    int checkBoth() {
        return left.value() + right.value();
    }

    // A coin is worth something.
    int checkWorth() {
        return 6 / left.value();
    }

    // The same coin may be both.
    int checkSame() {
        return 6 / (left == right ? 0 : 1);
    }

    // The coin may be one that the pair has, or none.
    int checkOther(Coin other) {
        return other == left ? 6 / (other.value() - 2) : 0;
    }
}

class Coin {
    private int value;

    private Coin(int value) {
        this.value = value;
    }

    static Coin make(int value) {
        return new Coin(value < 1 ? 1 : value);
    }

    int value() {
        return value;
    }
}
