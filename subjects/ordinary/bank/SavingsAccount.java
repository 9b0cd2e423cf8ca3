// defect monthly, division by zero: SavingsAccount.averageWithdrawal throws ArithmeticException
//     new SavingsAccount("2").averageWithdrawal();
package ordinary.bank;

import java.util.Objects;

/** Only some withdrawals a month are free. */
public class SavingsAccount implements Account {
    private static final int FREE_WITHDRAWALS = 3;

    private final String number;
    private long balance;
    private int withdrawals;
    private long withdrawn;

    public SavingsAccount(String number) {
        this.number = Objects.requireNonNull(number);
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
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        balance += amount;
    }

    @Override
    public long available() {
        return withdrawals < FREE_WITHDRAWALS ? balance : 0;
    }

    @Override
    public boolean withdraw(long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount: " + amount);
        }
        if (amount > available()) {
            return false;
        }
        balance -= amount;
        withdrawals++;
        withdrawn += amount;
        return true;
    }

    public long averageWithdrawal() {
        return withdrawals == 0 ? 0 : withdrawn / withdrawals; // defect monthly: return withdrawn / withdrawals;
    }

    public void endOfMonth() {
        withdrawals = 0;
        withdrawn = 0;
    }
}
