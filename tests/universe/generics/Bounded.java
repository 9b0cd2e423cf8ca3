// A type variable that must be comparable.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer
public class Bounded<T extends Comparable<T>> {
    static class Pair<T> { T low; T high; }

    Pair<T> pair;

    boolean repOK() {
        return pair == null || pair.low != null && pair.high != null && pair.low.compareTo(pair.high) <= 0;
    }

    public void raise(T given) {
        if (pair != null && given != null) {
            pair.low = given;
        }
    }

    public void check() {
        assert pair == null || pair.low == pair.high;
    }

    public void forget() {
        pair = null;
    }

    public void none(T given) {
        assert given == null;
    }
}
