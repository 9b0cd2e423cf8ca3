// Checks that a case whose precondition throws does not hide another one that applies.
//! check --scope 2: second
public class RequiresThatThrows {
    private int value;

    /*@ requires other.value > 0;
      @ ensures \result == 1;
      @ also
      @ requires other == null;
      @ ensures \result == 0; // broken by second
      @*/
    public int second(/*@ nullable @*/ RequiresThatThrows other) {
        return 1;
    }
}
