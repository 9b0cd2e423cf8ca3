// Checks that all clauses of a kind count, and that each is blamed on its own line.
//! check --scope 2: both, second
public class SeveralClauses {
    /*@ requires x > 0;
      @ requires x < 10;
      @ ensures \result > 1;
      @ ensures \result < 11;
      @*/
    public static int both(int x) {
        return x + 1;
    }

    /*@ requires x > 0
      @          && x < 10;
      @ ensures \result > 0;
      @ ensures \result < 10; // broken by second
      @*/
    public static int second(int x) {
        return x + 1;
    }
}
