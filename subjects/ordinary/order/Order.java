// defect unguarded, state machine without a guard: Order.trackingUrl throws NullPointerException
//     Order order = new Order(7);
//     order.pay();
//     try {
//         order.deliver();
//     } catch (IllegalStateException rejected) {
//     }
//     order.trackingUrl();
// defect refunded, wrong state: Order.cancel throws AssertionError
//     Order order = new Order(7);
//     order.pay();
//     order.cancel();
package ordinary.order;

import java.util.EnumSet;
import java.util.Set;

/** The life of an order in a shop. */
public class Order {
    public enum Status {
        NEW, PAID, SHIPPED, DELIVERED, CANCELLED;

        private static final Set<Status> FINAL = EnumSet.of(DELIVERED, CANCELLED);

        public boolean isFinal() {
            return FINAL.contains(this);
        }
    }

    private final int id;
    private Status status = Status.NEW;
    private String trackingCode;
    private boolean refunded;

    public Order(int id) {
        this.id = id;
    }

    public int id() {
        return id;
    }

    public Status status() {
        return status;
    }

    public void pay() {
        require(Status.NEW);
        status = Status.PAID;
    }

    public void ship(String code) {
        require(Status.PAID);
        if (code == null || code.isBlank()) {
            throw new IllegalArgumentException("code");
        }
        trackingCode = code;
        status = Status.SHIPPED;
    }

    public void deliver() {
        require(Status.SHIPPED); // defect unguarded:
        status = Status.DELIVERED;
    }

    public void cancel() {
        if (status.isFinal() || status == Status.SHIPPED) {
            throw new IllegalStateException("too late: " + status);
        }
        refunded = status == Status.PAID; // defect refunded: refunded = status == Status.SHIPPED;
        boolean wasPaid = status != Status.NEW;
        status = Status.CANCELLED;
        assert refunded == wasPaid;
    }

    public boolean isRefunded() {
        return refunded;
    }

    public String trackingUrl() {
        return switch (status) {
            case SHIPPED, DELIVERED -> "https://track.example/" + trackingCode.strip();
            case NEW, PAID, CANCELLED -> null;
        };
    }

    private void require(Status expected) {
        if (status != expected) {
            throw new IllegalStateException("expected " + expected + " but was " + status);
        }
    }
}
