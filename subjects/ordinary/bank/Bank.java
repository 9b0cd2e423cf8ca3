// defect stranger, missing null check: Bank.transfer throws NullPointerException
//     Bank bank = new Bank();
//     bank.register(new CheckingAccount("1", 10));
//     bank.transfer("1", "2", 5);
// defect richest, wrong comparison: Bank.richest throws AssertionError
//     Bank bank = new Bank();
//     CheckingAccount poor = new CheckingAccount("1", 10);
//     poor.deposit(1);
//     bank.register(poor);
//     CheckingAccount rich = new CheckingAccount("2", 10);
//     rich.deposit(9);
//     bank.register(rich);
//     bank.richest();
package ordinary.bank;

import java.util.LinkedHashMap;
import java.util.Map;

/** All accounts by number. */
public class Bank {
    private final Map<String, Account> accounts = new LinkedHashMap<>();

    public void register(Account account) {
        if (accounts.putIfAbsent(account.number(), account) != null) {
            throw new IllegalArgumentException("number in use: " + account.number());
        }
    }

    public boolean transfer(String from, String to, long amount) {
        Account source = accounts.get(from);
        Account target = accounts.get(to);
        if (source == null || target == null || source == target) { // defect stranger: if (source == null || source == target) {
            return false;
        }
        if (!source.withdraw(amount)) {
            return false;
        }
        target.deposit(amount);
        return true;
    }

    public Account richest() {
        Account richest = null;
        for (Account account : accounts.values()) {
            if (richest == null || account.balance() > richest.balance()) { // defect richest: if (richest == null || account.balance() < richest.balance()) {
                richest = account;
            }
        }
        for (Account account : accounts.values()) {
            assert account.balance() <= richest.balance();
        }
        return richest;
    }

    public int size() {
        return accounts.size();
    }
}
