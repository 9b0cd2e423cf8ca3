// defect emptied, mutation during iteration: Cart.removeEmpty throws ConcurrentModificationException
//     Cart cart = new Cart();
//     cart.add("pen", 120, 0);
//     cart.add("ink", 450, 2);
//     cart.add("cap", 80, 1);
//     cart.removeEmpty();
// defect cheapest, no elements: Cart.cheapest throws NoSuchElementException
//     new Cart().cheapest();
package ordinary.cart;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The lines that a customer is about to order. */
public class Cart {
    /** Prices are in cents. */
    public record Line(String article, long price, int quantity) {
        public Line {
            Objects.requireNonNull(article, "article");
            if (price < 0 || quantity < 0) {
                throw new IllegalArgumentException("negative price or quantity");
            }
        }

        public long amount() {
            return price * quantity;
        }

        Line withQuantity(int changed) {
            return new Line(article, price, changed);
        }
    }

    private final List<Line> lines = new ArrayList<>();

    public void add(String article, long price, int quantity) {
        lines.add(new Line(article, price, quantity));
    }

    public boolean setQuantity(String article, int quantity) {
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).article().equals(article)) {
                lines.set(i, lines.get(i).withQuantity(quantity));
                return true;
            }
        }
        return false;
    }

    public void removeEmpty() {
        lines.removeIf(line -> line.quantity() == 0); // defect emptied: for (Line line : lines) { if (line.quantity() == 0) { lines.remove(line); } }
    }

    public long total() {
        long total = 0;
        for (Line line : lines) {
            total += line.amount();
        }
        return total;
    }

    public Optional<Line> cheapest() {
        if (lines.isEmpty()) { // defect cheapest:
            return Optional.empty(); // defect cheapest:
        } // defect cheapest:
        return Optional.of(Collections.min(lines, Comparator.comparingLong(Line::price)));
    }

    public List<Line> lines() {
        return Collections.unmodifiableList(lines);
    }

    public int size() {
        return lines.size();
    }

    public void clear() {
        lines.clear();
    }
}
