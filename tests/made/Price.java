// calls: 3
// ints: -1 0 1 2
// closed: checkPositive
// Immutable objects from a factory that rejects arguments.
final class Price {
    private final int cents;

    private Price(int cents) {
        this.cents = cents;
    }

    static Price of(int cents) {
        if (cents < 0) {
            throw new IllegalArgumentException();
        }
        return new Price(cents);
    }

    Price half() {
        return new Price(cents / 2);
    }

    int checkPositive() {
        assert cents >= 0;
        return 0;
    }

    int checkZero() {
        return 6 / cents;
    }

    int checkShare(Price whole) {
        return whole == null ? 0 : 6 / (whole.cents + cents + 1); // beyond the domain
    }

    int checkRejects(int cents) {
        return Price.of(cents).cents;
    }
}
