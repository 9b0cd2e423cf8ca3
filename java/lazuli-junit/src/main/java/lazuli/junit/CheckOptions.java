package lazuli.junit;

import java.util.ArrayList;
import java.util.List;

/** The options of a check, as words of the command line. */
record CheckOptions(int scope, String time, String technique, List<String> further) {
    static CheckOptions of(Check check) {
        return new CheckOptions(check.scope(), check.time(), check.technique(), List.of(check.options()));
    }

    static CheckOptions of(CheckClass check) {
        return new CheckOptions(check.scope(), check.time(), check.technique(), List.of(check.options()));
    }

    /** For so many methods, each of which may take the time. */
    List<String> words(int methods) {
        List<String> words = new ArrayList<>();
        if (scope > 0) {
            words.addAll(List.of("--scope", Integer.toString(scope)));
        }
        words.addAll(List.of("--time", times(time, methods)));
        if (!technique.isEmpty()) {
            words.addAll(List.of("--technique", technique));
        }
        words.addAll(further);
        return words;
    }

    /** {@code 10s} three times is {@code 30s}. A time that is none is left to the program, which says so. */
    private static String times(String time, int methods) {
        int unit = 0;
        while (unit < time.length() && Character.isDigit(time.charAt(unit))) {
            unit++;
        }
        if (unit == 0 || unit > 9 || methods == 1) {
            return time;
        }
        return Long.parseLong(time.substring(0, unit)) * methods + time.substring(unit);
    }
}
