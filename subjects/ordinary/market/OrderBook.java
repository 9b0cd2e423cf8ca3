// defect level, an empty bucket that stays: OrderBook.bestPrice throws NullPointerException
//     OrderBook book = new OrderBook();
//     book.offer(1, 10, 5);
//     book.cancel(1);
//     book.bestPrice();
// defect unknown, missing null check: OrderBook.cancel throws NullPointerException
//     new OrderBook().cancel(4);
package ordinary.market;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/** Sell orders, cheapest first, and at one price in the order of their arrival. */
public class OrderBook {
    public static final class Offer {
        private final int id;
        private final int price;
        private int open;

        private Offer(int id, int price, int open) {
            this.id = id;
            this.price = price;
            this.open = open;
        }

        public int id() {
            return id;
        }

        public int open() {
            return open;
        }
    }

    private final TreeMap<Integer, Deque<Offer>> levels = new TreeMap<>();
    private final Map<Integer, Offer> byId = new HashMap<>();

    public void offer(int id, int price, int quantity) {
        if (price <= 0 || quantity <= 0) {
            throw new IllegalArgumentException("price and quantity must be positive");
        }
        if (byId.containsKey(id)) {
            throw new IllegalArgumentException("duplicate order " + id);
        }
        Offer offer = new Offer(id, price, quantity);
        byId.put(id, offer);
        levels.computeIfAbsent(price, p -> new ArrayDeque<>()).addLast(offer);
    }

    public boolean cancel(int id) {
        Offer offer = byId.remove(id);
        if (offer == null) { // defect unknown:
            return false; // defect unknown:
        } // defect unknown:
        Deque<Offer> level = levels.get(offer.price);
        level.remove(offer);
        if (level.isEmpty()) { // defect level:
            levels.remove(offer.price); // defect level:
        } // defect level:
        return true;
    }

    public OptionalInt bestPrice() {
        if (levels.isEmpty()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(levels.firstEntry().getValue().peekFirst().price);
    }

    /** Buys at most so many, for at most this price each. */
    public int buy(int quantity, int limit) {
        int left = quantity;
        while (left > 0 && !levels.isEmpty() && levels.firstKey() <= limit) {
            Deque<Offer> level = levels.firstEntry().getValue();
            Offer first = level.peekFirst();
            int traded = Math.min(left, first.open);
            first.open -= traded;
            left -= traded;
            if (first.open == 0) {
                level.removeFirst();
                byId.remove(first.id);
                if (level.isEmpty()) {
                    levels.pollFirstEntry();
                }
            }
        }
        return quantity - left;
    }

    public int depth() {
        return levels.size();
    }
}
