// Code that calls by contract rely on: one class keeps all that the interface promises, and the other nothing of it.
public class Promises {
    static int total;

    /** Has a number. */
    static class Box {
        int size;
    }

    /** Does anything; it has no contract. */
    interface Task {
        void go();
    }

    /** Its methods have contracts. */
    interface Service {
        /*@ pure @*/ int count();

        //@ requires box != null;
        //@ assignable box.size;
        //@ ensures box.size == 1;
        void one(Box box);

        //@ assignable \nothing;
        //@ ensures \fresh(\result);
        Object make();

        //@ public normal_behavior
        //@ requires n >= 0;
        //@ assignable \nothing;
        void accepts(int n);

        //@ assignable \nothing;
        int length(/*@ nullable @*/ String text);

        //@ ensures true;
        void runs();

        //@ assignable \everything;
        //@ signals (IllegalStateException failed) true;
        void mayFail();
    }

    /** Keeps them. */
    static class Keeper implements Service {
        private int count;

        public int count() {
            return count;
        }

        public void one(Box box) {
            box.size = 1;
        }

        public Object make() {
            return new Object();
        }

        public void accepts(int n) {
            if (n < 0) {
                throw new IllegalArgumentException();
            }
        }

        public int length(String text) {
            return text == null ? 0 : text.length();
        }

        public void runs() {
            count++;
        }

        public void mayFail() {
            if (count == 3) {
                throw new IllegalStateException();
            }
        }
    }

    /** Breaks each of them. */
    static class Breaker implements Service {
        private static final Object ONLY = new Object();
        private /*@ nullable @*/ Task task;

        Breaker(/*@ nullable @*/ Task task) {
            this.task = task;
        }

        public int count() {
            return total++;
        }

        public void one(Box box) {
            box.size = 1;
            total++;
        }

        public Object make() {
            return ONLY;
        }

        public void accepts(int n) {
            if (n == 3) {
                throw new IllegalArgumentException();
            }
        }

        public int length(String text) {
            return text.length();
        }

        public void runs() {
            if (task != null) {
                task.go();
            }
        }

        public void mayFail() {
            throw new UnsupportedOperationException();
        }
    }
}
