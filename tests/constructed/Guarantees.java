import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

// A field whose line ends with "never null" is guaranteed by constructors; the others are not.
class Guarantees {
    enum Mode { ON, OFF }

    static class Plain {
        private final List<String> lines = new ArrayList<>(); // never null
        private final String name; // never null
        final int[] cells; // never null
        private Mode mode = Mode.OFF; // never null
        private Map<String, Integer> counts = new HashMap<>(); // never null
        private final Supplier<String> later; // never null
        private final String title; // never null
        private String set = "";
        private Object unset;
        String shared = "";
        private final String given;

        Plain(String name, int size, String given) {
            this.name = Objects.requireNonNull(name, "name");
            this.cells = new int[size];
            this.given = given;
            this.later = () -> name;
            this.title = "text " + size;
        }

        Plain(String name) {
            this(name, 1, "given");
        }

        void change(Mode mode) {
            if (mode != null) {
                this.mode = mode;
            }
            counts = new HashMap<>();
            set = null;
            unset = "";
        }
    }

    static class Checked {
        private final String early; // never null
        private final String thrown; // never null
        private final String both; // never null
        private final String sometimes;
        private final String caught;

        Checked(String early, String thrown, boolean isLong) {
            if (early == null) {
                throw new IllegalArgumentException();
            }
            this.early = early;
            this.thrown = thrown.trim();
            this.both = isLong ? "long" : early;
            this.sometimes = isLong ? early : null;
            String value = null;
            try {
                value = early.substring(1);
            } catch (RuntimeException error) {
                // Stays null.
            }
            this.caught = value;
        }
    }

    /** Other code sees the object before the second field is set. */
    static class Leaky {
        static Leaky seen;
        private final String before; // never null
        private final String after;

        Leaky() {
            before = "before";
            seen = this;
            after = "after";
        }
    }

    static class Calling {
        private final String before; // never null
        private final String after;

        Calling() {
            before = "before";
            hook();
            after = "after";
        }

        void hook() {}
    }

    /** The constructor of the superclass runs a method that may be overridden. */
    static class Below extends Calling {
        private final String own = "own";

        @Override
        void hook() {
            own.length();
        }
    }

    static class Quiet {
        final String above = "above"; // never null
    }

    static class BelowQuiet extends Quiet {
        private final String own = above + ""; // never null
    }

    /** A class around it assigns the private field. */
    static class Assigned {
        private String text = "text";
    }

    static void assign(Assigned assigned, String text) {
        assigned.text = text;
    }

    static class AssignedWell {
        private String label = "label"; // never null
    }

    static void assign(AssignedWell assigned) {
        assigned.label = "other";
    }

    /** A lambda that holds the object may be called before the field is set. */
    static class Captured {
        private final Supplier<String> later;
        private final String text;

        Captured() {
            later = () -> text();
            text = later.get() + "";
        }

        String text() {
            return text;
        }
    }

    record Pair(String left, Object right) {
        Pair {
            Objects.requireNonNull(left);
        }
    }

    static class Copied {
        private final String made = made(); // never null
        private final String perhaps = perhaps();

        private static String made() {
            return new StringBuilder("made").toString();
        }

        private static String perhaps() {
            return made().isEmpty() ? null : "perhaps";
        }
    }

    /** One of two constructors leaves the field out. */
    static class TwoWays {
        private String text;

        TwoWays() {}

        TwoWays(String text) {
            this.text = Objects.requireNonNull(text);
        }
    }

    static class Looping {
        private final List<String> lines; // never null
        private String last;

        Looping(int count) {
            List<String> found = null;
            for (int i = 0; i <= count; i++) {
                last = "line " + i;
            }
            found = new ArrayList<>();
            lines = found;
        }
    }
}
