// Checks two objects that a method changes, which may be the same.
// target: Account.transfer
// scope: 2
// domain: int -1..2
public class Account {
    int balance;

    boolean transfer(Account to, int amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("not positive");
        }
        if (balance < amount || to == this) {
            return false;
        }
        int before = balance;
        balance -= amount;
        to.balance += amount;
        assert balance + amount == before;
        return true;
    }
}
