package m;

public class Account extends Ledger {
    private final int limit;

    public Account(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit");
        }
        this.limit = 100 / limit;
    }

    public int limit() {
        return limit;
    }

    public int share(int parts) {
        return share(limit, parts + 1);
    }

    private int share(int of, int parts) {
        return of / parts;
    }

    void close(int code) {
        int unused = 1 / code;
    }
}
