// Checks that of several cases those apply whose preconditions were true before the method.
//! check --scope 2: sign, wrong, outside
public class Cases {
    /*@ requires x > 0;
      @ ensures \result == 1;
      @ also
      @ requires x < 0;
      @ ensures \result == -1;
      @ also
      @ requires x == 0;
      @ ensures \result == 0;
      @*/
    public static int sign(int x) {
        return x > 0 ? 1 : x < 0 ? -1 : 0;
    }

    /*@ requires x > 0;
      @ ensures \result == 1;
      @ also
      @ requires x < 0;
      @ ensures \result == -1; // broken by wrong
      @*/
    public static int wrong(int x) {
        return x == -5 || x > 0 ? 1 : -1;
    }

    /*@ requires x > 0;
      @ ensures \result == 1;
      @ also
      @ requires x < -1;
      @ ensures \result == -1;
      @*/
    public static int outside(int x) {
        if (x == 0 || x == -1) {
            throw new IllegalStateException("no case takes it");
        }
        return x > 0 ? 1 : -1;
    }
}
