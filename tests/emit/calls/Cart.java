//! check calls.Cart.last IndexOutOfBoundsException
//! check calls.Cart.share ArithmeticException
//! check calls.Cart.left NullPointerException
package calls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Private state in collections of the JDK. */
public class Cart {
    public record Line(String sku, int quantity, int cents) {}

    private final List<Line> lines = new ArrayList<>();
    private final Map<String, Integer> stock = new HashMap<>();

    public void add(String sku, int quantity, int cents) {
        if (quantity <= 0) {
            throw new IllegalArgumentException("quantity");
        }
        lines.add(new Line(sku, quantity, cents));
    }

    public void stock(String sku, int amount) {
        stock.put(sku, amount);
    }

    public int left(String sku) {
        return stock.get(sku); // mended: return stock.getOrDefault(sku, 0);
    }

    public Line last() {
        return lines.get(lines.size() - 1); // mended: return lines.isEmpty() ? null : lines.get(lines.size() - 1);
    }

    public int share() {
        return 100 / lines.size(); // mended: return lines.isEmpty() ? 0 : 100 / lines.size();
    }
}
