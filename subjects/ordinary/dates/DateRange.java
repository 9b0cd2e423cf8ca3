// defect overlap, missing null check: DateRange.overlap throws NullPointerException
//     LocalDate day = LocalDate.of(2024, 5, 1);
//     DateRange.of(day, day).overlap(DateRange.of(day.plusDays(2), day.plusDays(3)));
// defect length, off by one: DateRange.days throws AssertionError
//     LocalDate day = LocalDate.of(2024, 5, 1);
//     DateRange.of(day, day).days();
package ordinary.dates;

import java.time.LocalDate;
import java.util.Objects;

/** Days from the first to the last, both included. */
public final class DateRange {
    private final LocalDate first;
    private final LocalDate last;

    private DateRange(LocalDate first, LocalDate last) {
        this.first = first;
        this.last = last;
    }

    public static DateRange of(LocalDate first, LocalDate last) {
        Objects.requireNonNull(first);
        Objects.requireNonNull(last);
        if (last.isBefore(first)) {
            throw new IllegalArgumentException(first + " is after " + last);
        }
        return new DateRange(first, last);
    }

    public boolean contains(LocalDate day) {
        return !day.isBefore(first) && !day.isAfter(last);
    }

    public long days() {
        long days = last.toEpochDay() - first.toEpochDay() + 1; // defect length: long days = last.toEpochDay() - first.toEpochDay();
        assert days > 0;
        return days;
    }

    /** @return how many days are in both */
    public long overlap(DateRange other) {
        DateRange both = intersection(other);
        return both == null ? 0 : both.days(); // defect overlap: return both.days();
    }

    private DateRange intersection(DateRange other) {
        LocalDate from = first.isAfter(other.first) ? first : other.first;
        LocalDate to = last.isBefore(other.last) ? last : other.last;
        return to.isBefore(from) ? null : new DateRange(from, to);
    }
}
