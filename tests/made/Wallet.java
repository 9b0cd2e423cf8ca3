// calls: 4
// classes: Wallet Wallet$Coin
// ints: 0 1 2
// Arguments that calls make, and that objects keep.
class Wallet {
    static final class Coin {
        private int worth;

        private Coin(int worth) {
            this.worth = worth;
        }

        static Coin small() {
            return new Coin(1);
        }

        void grow() {
            if (worth < 3) {
                worth++;
            }
        }
    }

    private Coin kept;

    void put(Coin coin) {
        if (coin != null && coin.worth == 1) {
            kept = coin;
        }
    }

    int checkKept() {
        return kept == null ? 0 : 6 / kept.worth;
    }

    // The coin grew after it was put there.
    int checkGrown() {
        return kept == null ? 0 : 6 / (kept.worth - 2);
    }

    int checkLarge() {
        return kept == null ? 0 : 6 / (kept.worth - 4);
    }

    int checkAgain(Coin coin) {
        return coin != null && coin == kept ? 6 / (coin.worth - 2) : 0;
    }
}
