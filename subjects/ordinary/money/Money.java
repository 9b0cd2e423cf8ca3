// defect pennies, integer division: Money.split throws AssertionError
//     Money.euros(1).split(3);
// defect currencies, missing guard: Money.plus throws AssertionError
//     try {
//         new Money(1, Money.Currency.EUR).plus(new Money(1, Money.Currency.JPY));
//     } catch (IllegalArgumentException rejected) {
//     }
package ordinary.money;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** An amount in the smallest unit of a currency. */
public record Money(long amount, Currency currency) {
    public enum Currency { EUR, USD, JPY }

    public Money {
        Objects.requireNonNull(currency);
    }

    public static Money euros(int euros) {
        return new Money(euros * 100L, Currency.EUR);
    }

    public Money plus(Money other) {
        if (currency != other.currency) { // defect currencies: if (currency == null) {
            throw new IllegalArgumentException(currency + " and " + other.currency);
        }
        Money sum = new Money(amount + other.amount, other.currency);
        assert sum.currency == currency;
        return sum;
    }

    public boolean isNegative() {
        return amount < 0;
    }

    /** Parts that differ by at most one unit, and are the whole together. */
    public List<Money> split(int parts) {
        if (parts < 1 || parts > 12) {
            throw new IllegalArgumentException("parts: " + parts);
        }
        List<Money> shares = new ArrayList<>();
        long left = amount;
        for (int i = parts; i > 0; i--) {
            long share = left / i; // defect pennies: long share = amount / parts;
            shares.add(new Money(share, currency));
            left -= share;
        }
        assert left == 0;
        return shares;
    }
}
