// defect negative, an argument of the wrong sign: Ledger.transfer throws IllegalArgumentException
//     Ledger ledger = new Ledger();
//     ledger.open("rent", 500);
//     ledger.open("food", 100);
//     ledger.transfer("rent", "food", 50);
// defect unopened, unboxing null: Ledger.balance throws NullPointerException
//     new Ledger().balance("rent");
package ordinary.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Accounts, and what was posted to them. */
public final class Ledger {
    private final Map<String, Long> balances = new HashMap<>();
    private final List<Posting> journal = new ArrayList<>();

    public record Posting(String account, long amount) {
        public Posting {
            Objects.requireNonNull(account);
            if (amount < 0) {
                throw new IllegalArgumentException("amount must not be negative: " + amount);
            }
        }
    }

    public void open(String account, long balance) {
        Objects.requireNonNull(account, "account");
        if (balances.containsKey(account)) {
            throw new IllegalStateException("already open: " + account);
        }
        balances.put(account, balance);
    }

    public boolean isOpen(String account) {
        return balances.containsKey(account);
    }

    public long balance(String account) {
        return balances.getOrDefault(account, 0L); // defect unopened: return balances.get(account);
    }

    public void transfer(String from, String to, long amount) {
        if (!isOpen(from) || !isOpen(to)) {
            throw new IllegalArgumentException("no such account");
        }
        if (amount <= 0) {
            throw new IllegalArgumentException("amount must be positive");
        }
        balances.merge(from, -amount, Long::sum);
        balances.merge(to, amount, Long::sum);
        journal.add(new Posting(from, amount));
        journal.add(new Posting(to, amount)); // defect negative: journal.add(new Posting(to, -amount));
    }

    public int postings() {
        return journal.size();
    }

    public Posting last() {
        if (journal.isEmpty()) {
            throw new IllegalStateException("nothing was posted");
        }
        return journal.get(journal.size() - 1);
    }
}
