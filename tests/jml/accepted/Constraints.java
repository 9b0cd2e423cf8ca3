// Checks that a constraint is kept by every method: what is inherited, what is static, and where the method throws.
//! check --scope 2: up, down, fail, reset, shift, next, Constraints$Lower.jump
public class Constraints {
    static int epoch;
    int count;

    //@ constraint \old(count) <= count; // broken by down, fail, jump
    //@ static constraint epoch == \old(epoch) || epoch == \old(epoch) + 1; // broken by shift

    public void up() {
        if (count < Integer.MAX_VALUE) {
            count++;
        }
    }

    //@ requires count > 0;
    public void down() {
        count--;
    }

    //@ requires count > 0;
    //@ signals (IllegalStateException e) true;
    public void fail() {
        count = 0;
        throw new IllegalStateException();
    }

    public /*@ helper @*/ void reset() {
        count = 0;
    }

    public static void shift() {
        epoch += 2;
    }

    public static void next() {
        epoch++;
    }

    static class Lower extends Constraints {
        //@ requires count > 0;
        public void jump() {
            count -= 1;
        }
    }
}
