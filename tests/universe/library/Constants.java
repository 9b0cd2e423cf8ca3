// Sets and maps of constants, pairs and streams: made as the library makes them, with all contents that they may have.
// scope: 2
// domain: int 0 7; string a
// complete: precise
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Constants {
    enum Day { MON, TUE, WED }

    public static int missing(EnumMap<Day, Integer> hours) {
        return hours == null ? 0 : hours.get(Day.TUE);
    }

    public static int present(EnumMap<Day, Integer> hours) {
        int sum = 0;
        if (hours != null) {
            for (Map.Entry<Day, Integer> each : hours.entrySet()) {
                sum += each.getValue() & 7;
            }
        }
        return sum;
    }

    public static void both(EnumSet<Day> days) {
        if (days != null && days.size() == 2) {
            assert days.contains(Day.MON) || days.contains(Day.WED);
            assert days.contains(Day.MON) || days.contains(Day.TUE);
        }
    }

    public static Day first(EnumSet<Day> days) {
        return days == null ? null : days.iterator().next();
    }

    public static int pair(Map.Entry<String, Integer> pair) {
        if (pair != null && pair.getKey() != null && pair.getValue() != null) {
            return 1 / (pair.getKey().length() - pair.getValue() - 1);
        }
        return 0;
    }

    public static void swap(Map.Entry<Integer, Integer> pair) {
        if (pair != null) {
            Integer before = pair.setValue(pair.getKey());
            assert pair.getValue() == pair.getKey();
            assert before == null || before != 7;
        }
    }

    public static Integer head(Stream<Integer> all) {
        return all == null ? null : all.filter(each -> each != null).findFirst().get();
    }

    public static int sum(IntStream all) {
        return all == null ? 0 : 1 / (all.filter(each -> each > 0).sum() - 7);
    }

    public static boolean any(IntStream all) {
        return all != null && all.anyMatch(each -> each == 3);
    }
}
