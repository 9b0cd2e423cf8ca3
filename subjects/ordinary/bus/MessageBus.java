// defect unsubscribed, mutation during iteration: MessageBus.publish throws ConcurrentModificationException
//     MessageBus bus = new MessageBus();
//     bus.subscribe(new MessageBus.Once());
//     bus.subscribe(new MessageBus.Counter());
//     bus.subscribe(new MessageBus.Counter());
//     bus.publish("hello");
package ordinary.bus;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Tells listeners what happens. */
public class MessageBus {
    public interface Listener {
        /** @return whether it wants more messages */
        boolean receive(String message);
    }

    public static class Counter implements Listener {
        private int count;

        @Override
        public boolean receive(String message) {
            count++;
            return true;
        }

        public int count() {
            return count;
        }
    }

    public static class Once implements Listener {
        private String last;

        @Override
        public boolean receive(String message) {
            last = message;
            return false;
        }

        public String last() {
            return last;
        }
    }

    private final List<Listener> listeners = new ArrayList<>();

    public void subscribe(Listener listener) {
        listeners.add(Objects.requireNonNull(listener));
    }

    public void unsubscribe(Listener listener) {
        listeners.remove(listener);
    }

    public int publish(String message) {
        int received = 0;
        for (Listener listener : List.copyOf(listeners)) { // defect unsubscribed: for (Listener listener : listeners) {
            received++;
            if (!listener.receive(message)) {
                listeners.remove(listener);
            }
        }
        return received;
    }

    public int size() {
        return listeners.size();
    }
}
