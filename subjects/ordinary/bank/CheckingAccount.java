// defect overdrawn, a guard that forgets the balance: CheckingAccount.withdraw throws AssertionError
//     CheckingAccount account = new CheckingAccount("1", 100);
//     account.withdraw(100);
//     account.withdraw(1);
package ordinary.bank;

import java.util.Objects;

/** May be overdrawn up to a limit. */
public class CheckingAccount implements Account {
    private static final long MOST = 1_000_000_000_000L;

    private final String number;
    private final long limit;
    private long balance;

    public CheckingAccount(String number, long limit) {
        this.number = Objects.requireNonNull(number);
        if (limit < 0 || limit > MOST) {
            throw new IllegalArgumentException("limit: " + limit);
        }
        this.limit = limit;
    }

    @Override
    public String number() {
        return number;
    }

    @Override
    public long balance() {
        return balance;
    }

    @Override
    public void deposit(long amount) {
        requirePositive(amount);
        if (balance > MOST - amount) {
            throw new IllegalArgumentException("too much");
        }
        balance += amount;
    }

    @Override
    public long available() {
        return balance + limit;
    }

    @Override
    public boolean withdraw(long amount) {
        requirePositive(amount);
        if (amount > available()) { // defect overdrawn: if (amount > limit) {
            return false;
        }
        balance -= amount;
        assert balance >= -limit : balance;
        return true;
    }

    private static void requirePositive(long amount) {
        if (amount <= 0 || amount > MOST) {
            throw new IllegalArgumentException("amount: " + amount);
        }
    }
}
