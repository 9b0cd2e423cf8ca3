// calls: 2
// ints: -1 0 1 2
// closed: checkOrder
// A record whose canonical constructor lets only some components through.
record Span(int from, int to) {
    Span {
        if (from > to) {
            throw new IllegalArgumentException();
        }
        if (to > 2) {
            to = 2;
            from = from > 2 ? 2 : from;
        }
    }

    int checkOrder() {
        assert from <= to;
        return to - from;
    }

    int checkTop() {
        assert to <= 2;
        return 0;
    }

    // An empty span.
    int checkLength() {
        return 6 / (to - from);
    }

    int checkMeets(Span other) {
        if (other == null) {
            return 0;
        }
        assert other.from <= other.to;
        return other.from == to ? 6 / (to - 1) : 0;
    }
}
