// defect drained, off by one: EventQueue.runUntil throws NullPointerException
//     EventQueue queue = new EventQueue();
//     queue.schedule(1, "a");
//     queue.runUntil(5);
// defect earliest, a comparison that overflows: EventQueue.next throws AssertionError
//     EventQueue queue = new EventQueue();
//     queue.schedule(Integer.MAX_VALUE, "late");
//     queue.schedule(-2, "early");
//     queue.next();
package ordinary.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;

/** Events of a simulation in the order of their times. */
public class EventQueue {
    public record Event(int time, String name) {
        public Event {
            Objects.requireNonNull(name);
        }
    }

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingInt(Event::time)); // defect earliest: new PriorityQueue<>((a, b) -> a.time() - b.time());

    public void schedule(int time, String name) {
        events.add(new Event(time, name));
    }

    public Event next() {
        Event first = events.poll();
        for (Event other : events) {
            assert first.time() <= other.time();
        }
        return first;
    }

    /** Takes all events up to this time out. */
    public List<String> runUntil(int time) {
        List<String> names = new ArrayList<>();
        while (!events.isEmpty() && events.peek().time() <= time) { // defect drained: while (events.peek().time() <= time) {
            names.add(events.poll().name());
        }
        return names;
    }

    public boolean isEmpty() {
        return events.isEmpty();
    }

    public int size() {
        return events.size();
    }
}
