// Checks that what is changed and set back is not changed, and that other cases have their own clauses.
//! check --scope 2: back, same, cases, everything
public class AssignableNothing {
    private int value;

    //@ assignable \nothing;
    public int back(int x) {
        int kept = value;
        value = x;
        int result = value;
        value = kept;
        return result;
    }

    //@ assignable \nothing; // broken by same
    public void same(int x) {
        value = x;
    }

    /*@ requires x > 0;
      @ assignable value;
      @ also
      @ requires x <= 0;
      @ assignable \nothing; // broken by cases
      @*/
    public void cases(int x) {
        value = x == -3 ? 0 : x > 0 ? x : value;
    }

    //@ assignable \everything;
    public void everything(int x) {
        value = x;
    }
}
