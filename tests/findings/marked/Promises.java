// Each method ends its line with what is noticed about it.
package marked;

public class Promises {
    public int plain(String text) { //: null-argument NullPointerException text
        return text.length();
    }

    public int ofParameter(@NotNull String text) {
        return text.length();
    }

    public int ofType(@NonNull String text) {
        return text.length();
    }

    public int ofElements(@NonNull String[] texts) { //: null-argument NullPointerException texts
        return texts.length;
    }

    public int ofOther(@NotNull String text, String other) { //: null-argument NullPointerException other
        return text.length() + other.length();
    }

    @NullMarked
    public static class Marked {
        public int usual(String text) {
            return text.length();
        }

        public int nullable(@Nullable String text) { //: null-argument NullPointerException text
            return text.length();
        }

        public <T extends Integer> int variable(T value) { //: null-argument NullPointerException value
            return value + 1;
        }

        @NullUnmarked
        public int unmarked(String text) { //: null-argument NullPointerException text
            return text.length();
        }
    }
}
