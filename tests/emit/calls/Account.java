//! check calls.Account.withdraw AssertionError
package calls;

/** A factory makes it, and rejects what is wrong. */
public final class Account {
    private long balance;

    private Account(long balance) {
        this.balance = balance;
    }

    public static Account of(long balance) {
        if (balance < 0) {
            throw new IllegalArgumentException("balance");
        }
        return new Account(balance);
    }

    public void withdraw(long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("amount");
        }
        balance -= amount; // mended: balance -= Math.min(amount, balance);
        assert balance >= 0;
    }
}
