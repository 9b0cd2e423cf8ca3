// Calls of a service by its contract: preconditions at the call, results, frames, exceptions, and what the service says of itself.
public class Depot {
    /** Keeps numbers of goods. */
    interface Stock {
        //@ requires key >= 0;
        //@ ensures \result >= 0;
        /*@ pure @*/ int count(int key);

        //@ requires key >= 0 && amount > 0;
        //@ ensures count(key) >= 1;
        void put(int key, int amount);

        //@ requires count(key) > 0;
        //@ assignable \nothing;
        //@ ensures \result >= 0 && \result <= 7;
        int take(int key);

        //@ requires box != null;
        //@ assignable box.size;
        //@ ensures box.size > box.weight;
        void fill(Box box);

        //@ assignable \nothing;
        //@ ensures \result > 0;
        //@ signals (IllegalStateException failed) level < 0;
        int open(int level);

        //@ public exceptional_behavior
        //@   requires level > 5;
        //@   assignable \nothing;
        //@   signals (IllegalArgumentException failed) true;
        //@ also public normal_behavior
        //@   requires level <= 5;
        //@   assignable \nothing;
        //@   ensures \result == level + 1;
        int step(int level);
    }

    /** Has two numbers. */
    static class Box {
        int size;
        int weight;
    }

    /** The same contracts in Java, for the harness that tries implementations. */
    static class Contracts {
        static final int[] DOMAIN = {-1, 0, 1, 4, 5, 7};
        static final java.util.List<String> PURE = java.util.List.of("count");
        static final java.util.List<String> FREE = java.util.List.of("put");

        static boolean pre_count(Stock self, int key) {
            return key >= 0;
        }

        static boolean post_count(Object before, Stock self, int key, int result) {
            return result >= 0;
        }

        static boolean pre_put(Stock self, int key, int amount) {
            return key >= 0 && amount > 0;
        }

        static boolean post_put(Object before, Stock self, int key, int amount) {
            return self.count(key) >= 1;
        }

        static boolean pre_take(Stock self, int key) {
            return self.count(key) > 0;
        }

        static boolean post_take(Object before, Stock self, int key, int result) {
            return result >= 0 && result <= 7;
        }

        static boolean pre_fill(Stock self, Box box) {
            return box != null;
        }

        static Object before_fill(Stock self, Box box) {
            return box.weight;
        }

        static boolean post_fill(Object before, Stock self, Box box) {
            return box.weight == (int) before && box.size > box.weight;
        }

        static boolean post_open(Object before, Stock self, int level, int result) {
            return result > 0;
        }

        static boolean signals_open(Object before, Stock self, int level, Throwable failed) {
            return failed instanceof IllegalStateException && level < 0;
        }

        static boolean post_step(Object before, Stock self, int level, int result) {
            return level <= 5 && result == level + 1;
        }

        static boolean signals_step(Object before, Stock self, int level, Throwable failed) {
            return failed instanceof IllegalArgumentException && level > 5;
        }
    }

    private final Stock stock;

    Depot(Stock stock) {
        this.stock = stock;
    }

    /** The key may be negative. */
    public int asks(int key) {
        return stock.count(key); //: precondition
    }

    public int asksRight(int key) {
        return key < 0 ? 0 : stock.count(key);
    }

    /** Both calls give the same. */
    public void asksTwice(int key) {
        if (key >= 0 && stock.count(key) != stock.count(key)) {
            throw new AssertionError();
        }
    }

    /** A change comes between the two. */
    public void asksAgain(int key) {
        if (key == 1) {
            int before = stock.count(key);
            stock.put(key, 1);
            if (stock.count(key) != before) {
                throw new AssertionError(); //: AssertionError
            }
        }
    }

    public int divides(int key) {
        return key < 0 ? 0 : 10 / stock.count(key); //: ArithmeticException
    }

    public int dividesRight(int key) {
        if (key >= 0) {
            stock.put(key, 3);
            return 10 / stock.count(key);
        }
        return 0;
    }

    /** Nothing says that there is something to take. */
    public int takes(int key) {
        return key < 0 ? 0 : stock.take(key); //: precondition
    }

    public int takesRight(int key) {
        if (key >= 0 && stock.count(key) > 0) {
            int[] few = new int[8];
            return few[stock.take(key)];
        }
        return 0;
    }

    /** Taking assigns nothing, by its contract. */
    public int takesTwo(int key) {
        if (key >= 0 && stock.count(key) > 0) {
            return stock.take(key) + stock.take(key);
        }
        return 0;
    }

    /** Nothing says what putting does to other goods. */
    public int takesLater() {
        if (stock.count(0) > 0) {
            stock.put(1, 1);
            return stock.take(0); //: precondition
        }
        return 0;
    }

    public void takesFew(int key) {
        if (key >= 0 && stock.count(key) > 0 && new int[7].length <= stock.take(key)) {
            throw new AssertionError(); //: AssertionError
        }
    }

    /** The weight may not change, the size may. */
    public void fills(Box box) {
        if (box.weight == 1) {
            stock.fill(box);
            if (box.size < 2 || box.weight != 1) {
                throw new AssertionError();
            }
        }
    }

    public void fillsWrong(Box box) {
        if (box.weight == 1 && box.size == 1) {
            stock.fill(box);
            if (box.size != 1) {
                throw new AssertionError(); //: AssertionError
            }
        }
    }

    public void fillsNothing() {
        stock.fill(null); //: precondition
    }

    public int opens(int level) {
        try {
            return 10 / stock.open(level);
        } catch (IllegalStateException failed) {
            if (level >= 0) {
                throw new AssertionError();
            }
            return 0;
        }
    }

    public int opensWrong(int level) {
        try {
            return stock.open(level);
        } catch (IllegalStateException failed) {
            throw new AssertionError(); //: AssertionError
        }
    }

    public int steps(int level) {
        if (level == 4) {
            if (stock.step(level) != 5) {
                throw new AssertionError();
            }
        }
        try {
            return level > 5 ? stock.step(level) / 0 : 0;
        } catch (IllegalArgumentException expected) {
            return 1;
        }
    }

    public int stepsWrong(int level) {
        return level == 4 ? 1 / (stock.step(level) - 5) : 0; //: ArithmeticException
    }
}
