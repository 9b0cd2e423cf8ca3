// Checks that what one case allows, another need not.
//! check --scope 2: right, wrong
public class CasesWithExceptions {
    /*@ requires x >= 0;
      @ ensures \result == x;
      @ also
      @ requires x < 0;
      @ signals (IllegalArgumentException e) true;
      @*/
    public static int right(int x) {
        if (x < 0) {
            throw new IllegalArgumentException();
        }
        return x;
    }

    /*@ requires x >= 0; // broken by wrong
      @ ensures \result == x;
      @ also
      @ requires x < 0;
      @ signals (IllegalArgumentException e) true;
      @*/
    public static int wrong(int x) {
        if (x <= 0) {
            throw new IllegalArgumentException();
        }
        return x;
    }
}
