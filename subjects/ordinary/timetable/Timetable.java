// defect overlap, wrong comparison: Timetable.book throws AssertionError
//     Timetable table = new Timetable();
//     table.book(new Timetable.Slot(10, 11));
//     table.book(new Timetable.Slot(9, 12));
// defect early, missing guard: Timetable.firstBusyHour throws IndexOutOfBoundsException
//     new Timetable().firstBusyHour();
package ordinary.timetable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The bookings of a room on one day. */
public class Timetable {
    /** From an hour to an hour. */
    public record Slot(int from, int to) {
        public Slot {
            if (from < 0 || to > 24 || from >= to) {
                throw new IllegalArgumentException(from + " to " + to);
            }
        }

        public boolean overlaps(Slot other) {
            return from < other.to && other.from < to; // defect overlap: return from < other.to && other.to < to;
        }
    }

    private final List<Slot> slots = new ArrayList<>();

    public boolean book(Slot slot) {
        for (Slot other : slots) {
            if (other.overlaps(slot)) {
                return false;
            }
        }
        slots.add(slot);
        slots.sort(Comparator.comparingInt(Slot::from));
        for (int i = 1; i < slots.size(); i++) {
            assert slots.get(i - 1).to() <= slots.get(i).from();
        }
        return true;
    }

    public boolean cancel(int hour) {
        return slots.removeIf(slot -> slot.from() == hour);
    }

    public int firstBusyHour() {
        if (slots.isEmpty()) { // defect early:
            return -1; // defect early:
        } // defect early:
        return slots.get(0).from();
    }

    public int hours() {
        int hours = 0;
        for (Slot slot : slots) {
            hours += slot.to() - slot.from();
        }
        return hours;
    }
}
