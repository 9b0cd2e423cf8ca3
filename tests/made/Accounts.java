// calls: 3
// classes: Accounts Accounts$Account
// ints: 0 1 2
// Two arguments that may be the same object.
class Accounts {
    static class Account {
        private int balance;

        void deposit(int amount) {
            if (amount > 0) {
                balance += amount;
            }
        }

        int balance() {
            return balance;
        }
    }

    static int checkTransfer(Account from, Account to) {
        if (from == null || to == null || from.balance == 0) {
            return 0;
        }
        int before = to.balance();
        from.balance -= 1;
        to.balance += 1;
        assert to.balance() == before + 1;
        return 0;
    }

    static int checkPositive(Account account) {
        return account == null ? 0 : 6 / (account.balance() + 1);
    }

    static int checkDifferent(Account one, Account other) {
        return one == null || other == null ? 0 : 6 / (one == other ? 1 : one.balance() - other.balance() + 4); // beyond the domain
    }

    static int checkRich(Account account) {
        return account == null ? 0 : 6 / (account.balance() - 3);
    }
}
