//! check calls.Till.last IndexOutOfBoundsException
//! check calls.Till.worth NullPointerException
//! check calls.Till.first NoSuchElementException
package calls;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;

/** A call that refuses leaves a counter behind; sets and maps of constants are arguments. */
public class Till {
    public enum Coin { PENNY, DIME }

    private final List<Coin> coins = new ArrayList<>();
    private int count;

    public void put(Coin coin, int times) {
        count += times;
        if (times != 1) {
            throw new IllegalArgumentException("times");
        }
        coins.add(coin);
    }

    public Coin last() {
        return count <= 0 ? null : coins.get(count - 1); // mended: return coins.isEmpty() ? null : coins.get(coins.size() - 1);
    }

    public int worth(EnumMap<Coin, Integer> worth) {
        return worth == null ? 0 : worth.get(Coin.DIME); // mended: return worth == null ? 0 : worth.getOrDefault(Coin.DIME, 0);
    }

    public Coin first(EnumSet<Coin> some) {
        return some == null ? null : some.iterator().next(); // mended: return some == null || some.isEmpty() ? null : some.iterator().next();
    }
}
