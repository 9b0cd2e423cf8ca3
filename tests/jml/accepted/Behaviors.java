// Checks that a normal behavior returns, and an exceptional one throws.
//! check --scope 2: divide, lenient, strict
public class Behaviors {
    /*@ public normal_behavior
      @   requires y != 0;
      @   ensures \result == x / y;
      @ also
      @ public exceptional_behavior
      @   requires y == 0;
      @   signals_only ArithmeticException;
      @*/
    public static int divide(int x, int y) {
        return x / y;
    }

    /*@ public normal_behavior
      @   requires y != 0;
      @   ensures \result == x / y;
      @ also
      @ public exceptional_behavior // broken by lenient
      @   requires y == 0;
      @   signals (ArithmeticException e) true;
      @*/
    public static int lenient(int x, int y) {
        return y == 0 ? 0 : x / y;
    }

    /*@ public normal_behavior // broken by strict
      @   requires y > 0;
      @ also
      @ public exceptional_behavior
      @   requires y == 0;
      @   signals (ArithmeticException e) true;
      @*/
    public static int strict(int x, int y) {
        if (y == 7) {
            throw new ArithmeticException("seven");
        }
        return x / y;
    }
}
