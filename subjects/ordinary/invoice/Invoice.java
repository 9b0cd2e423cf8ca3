// defect share, integer division by zero: Invoice.averagePrice throws ArithmeticException
//     Invoice.builder("Acme").build().averagePrice();
// defect shared, aliasing of a list: Invoice.total throws AssertionError
//     Invoice.Builder builder = Invoice.builder("Acme").item("paper", 3, 100);
//     Invoice first = builder.build();
//     builder.item("ink", 1, 900);
//     first.total();
package ordinary.invoice;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a customer owes; immutable. */
public final class Invoice {
    private record Item(String text, int count, long price) {
        long amount() {
            return count * price;
        }
    }

    private final String customer;
    private final List<Item> items;
    private final long total;

    private Invoice(Builder builder) {
        customer = builder.customer;
        items = new ArrayList<>(builder.items); // defect shared: items = builder.items;
        total = sum(items);
    }

    public static Builder builder(String customer) {
        return new Builder(customer);
    }

    public String customer() {
        return customer;
    }

    public long total() {
        assert total == sum(items);
        return total;
    }

    public long averagePrice() {
        int count = items.stream().mapToInt(Item::count).sum();
        if (count == 0) { // defect share:
            return 0; // defect share:
        } // defect share:
        return total / count;
    }

    public long withTax(int percent) {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("percent: " + percent);
        }
        return total + total * percent / 100;
    }

    private static long sum(List<Item> items) {
        long sum = 0;
        for (Item item : items) {
            sum += item.amount();
        }
        return sum;
    }

    public static final class Builder {
        private final String customer;
        private final List<Item> items = new ArrayList<>();

        private Builder(String customer) {
            this.customer = Objects.requireNonNull(customer);
        }

        public Builder item(String text, int count, long price) {
            if (count <= 0 || price < 0) {
                throw new IllegalArgumentException(text);
            }
            items.add(new Item(text, count, price));
            return this;
        }

        public Invoice build() {
            return new Invoice(this);
        }
    }
}
