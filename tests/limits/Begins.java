//! check Begins.nothing
//! check Begins$Endless.nothing
//! check Begins$Greedy.nothing
//! check Begins.input
//! shapes Begins$Valid --scope 3
//! bounds Begins$Valid --scope 3

/** Static initialisers and invariants that never end, or take all memory. */
public class Begins {
    public static class Endless {
        static int n;
        static { while (n >= 0) n = n + 1 & 0xffff; }
        public static int nothing(int a) { return a; }
    }

    public static class Greedy {
        static java.util.List<Object> all = new java.util.ArrayList<>();
        static { while (all.size() >= 0) all.add(new long[100_000]); }
        public static int nothing(int a) { return a; }
    }

    public static class Valid {
        Valid next;
        int[] all;
        public boolean repOK() {
            java.util.List<Object> kept = new java.util.ArrayList<>();
            while (kept.size() >= 0) kept.add(new long[100_000]);
            return next != this;
        }
        public int nothing(int a) { return a; }
    }

    public static int nothing(int a) { return a; }

    public static int input(Endless one, Greedy other, Valid third) { return one == null || other == null || third == null ? 0 : 1 / 0; }
}
