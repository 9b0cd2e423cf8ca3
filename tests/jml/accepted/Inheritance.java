// Checks that an overriding method keeps what the overridden one promises, under the names that stand there.
//! check --scope 2: Inheritance$Doubler.twice, Inheritance$Wrong.apply
public class Inheritance {
    interface Step {
        //@ requires x > 0;
        //@ ensures \result > x; // broken by apply
        int apply(int x);

        //@ requires x > 0 && x < 1000;
        //@ ensures \result > x;
        int twice(int x);
    }

    static class Doubler implements Step {
        //@ also
        //@ requires number < -10;
        //@ ensures \result == 0;
        public int twice(int number) {
            return number < 0 ? 0 : 2 * number;
        }

        public int apply(int number) {
            return Integer.MAX_VALUE;
        }
    }

    static class Wrong implements Step {
        public int apply(int y) {
            return y;
        }

        public int twice(int y) {
            return 2 * y;
        }
    }
}
