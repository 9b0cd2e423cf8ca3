package lazuli.junit;

import java.util.List;
import java.util.Map;

/** The answer about one method: a report of {@code lazuli check} as JSON, and its words. */
record Verdict(Map<String, Object> report, String words) {
    String target() {
        return text(report.get("target"));
    }

    String title() {
        return text(report.get("title"));
    }

    String kind() {
        return text(report.get("verdict"));
    }

    /** The sentence of the verdict, without the method. */
    String sentence() {
        String first = words.lines().findFirst().orElse(kind());
        return first.startsWith(title() + ": ") ? first.substring(title().length() + 2) : first;
    }

    String error() {
        return text(report.get("error"));
    }

    /** The first fault, or nothing. */
    @SuppressWarnings("unchecked")
    Map<String, Object> fault() {
        List<Object> faults = (List<Object>) report.getOrDefault("violations", List.of());
        return faults.isEmpty() ? null : (Map<String, Object>) faults.get(0);
    }

    /** Did some path return, and not only end by an assumption? */
    boolean hasReturned() {
        Object ends = report.get("ends");
        return !(ends instanceof Map<?, ?> counts) || !(counts.get("returned") instanceof Double returned) || returned > 0;
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }
}
